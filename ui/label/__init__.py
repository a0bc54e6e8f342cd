"""The Label page: a queue of questions, candidates, and what people say of them."""
