"""What servers and clients of the API share: the schema of every kind, and the patches that turn one object into another."""
