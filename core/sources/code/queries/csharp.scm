(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(base_list [(identifier) (qualified_name) (generic_name)] @base)
[(invocation_expression) (object_creation_expression)] @call
(using_directive) @import
[(string_literal) (interpolated_string_expression) (verbatim_string_literal)] @string
