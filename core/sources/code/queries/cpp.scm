(function_definition declarator: (_) @name) @function
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition type: [(struct_specifier !name) (union_specifier !name) (enum_specifier !name)] declarator: (_) @name) @class
(preproc_function_def name: (_) @name) @function
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(call_expression function: [(identifier) (field_expression) (qualified_identifier)]) @call
(new_expression) @call
(preproc_include) @import
(string_literal) @string
