(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @base))
(call function: [(identifier) (attribute)]) @call
[(import_statement) (import_from_statement)] @import
(string) @string
