(type_declaration (type_spec name: (_) @name)) @class
(function_declaration name: (_) @name) @function
(method_declaration receiver: (_) @receiver name: (_) @name) @method
(field_declaration !name type: (_) @base)
(call_expression function: [(identifier) (selector_expression)]) @call
(composite_literal type: [(type_identifier) (qualified_type)]) @call
(import_spec) @import
[(interpreted_string_literal) (raw_string_literal)] @string
