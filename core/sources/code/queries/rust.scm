(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(impl_item type: (_) @name) @scope
(mod_item name: (_) @name body: (_)) @scope
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @function
(impl_item trait: (_) @base)
(call_expression function: [(identifier) (scoped_identifier) (field_expression)]) @call
(struct_expression name: (_)) @call
[(use_declaration) (mod_item !body)] @import
[(string_literal) (raw_string_literal)] @string
