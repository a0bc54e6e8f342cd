(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
[(method_invocation) (object_creation_expression)] @call
(import_declaration) @import
(string_literal) @string
