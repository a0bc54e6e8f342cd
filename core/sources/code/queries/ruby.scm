(class name: (_) @name) @class
(module name: (_) @name) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(superclass (_) @base)
(call method: (_) @_method (#not-match? @_method "^require(_relative)?$")) @call
(call method: (_) @_method (#match? @_method "^require(_relative)?$")) @import
(string) @string
