struct point {
    int x;
    int y;
};
struct point origin;
int distance(struct point *from) { return from->x; }
