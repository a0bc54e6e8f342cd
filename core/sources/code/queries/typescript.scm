(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(type_alias_declaration name: (_) @name) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @function
(variable_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @function
(assignment_expression
  left: (member_expression property: (_) @name)
  right: [(arrow_function) (function_expression)]) @function
(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause (_) @base)
(call_expression function: [(identifier) (member_expression)]) @call
(new_expression) @call
(import_statement) @import
(export_statement source: (_)) @import
(variable_declarator value: (call_expression function: (identifier) @_required (#eq? @_required "require"))) @import
[(string) (template_string)] @string
