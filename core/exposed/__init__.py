"""What a server of ours lets out: who may ask it by which name, which folders it reads for
visitors, and how it says an error to them."""
