"""What people expect of every page: keys, remembered choices, a first tour."""
