int limit(void) { return 20; }
