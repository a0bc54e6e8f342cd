"""OpenAPI and Swagger documents walked, split into chunks, catalogued."""
