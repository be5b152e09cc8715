//! error: 8:21 `origin` is declared with type `struct point`
//! error: 9:5 `distance` is declared with type
//! with: misfit.part.c
struct point {
    int x;
    long long y;
};
extern struct point origin;
int distance(struct point *from);
int main(void) { return distance(&origin); }
