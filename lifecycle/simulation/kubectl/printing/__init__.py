"""What kubectl prints: tables, `-o` formats and descriptions, as functions of the objects and tables that the API server answered."""
