int quotient(int dividend, int divisor) { return divisor ? dividend / divisor : 0; }
