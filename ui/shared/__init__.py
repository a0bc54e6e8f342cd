"""What every page uses: frame, address, controls, markup, words."""
