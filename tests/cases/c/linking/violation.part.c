int limit = 3;
static int calls;
int allowed(int given) {
    calls++;
    return given + calls;
}
