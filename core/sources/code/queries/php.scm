(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(base_clause (_) @base)
(class_interface_clause (_) @base)
[
  (function_call_expression)
  (member_call_expression)
  (nullsafe_member_call_expression)
  (scoped_call_expression)
  (object_creation_expression)
] @call
[
  (namespace_use_declaration)
  (require_expression)
  (require_once_expression)
  (include_expression)
  (include_once_expression)
] @import
[(string) (encapsed_string)] @string
