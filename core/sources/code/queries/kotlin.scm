(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(companion_object) @scope
(function_declaration name: (_) @name) @function
(delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base)])
(call_expression) @call
(import) @import
(string_literal) @string
