//! verdict: true
//! decided-by: auto
//! arguments: --entry mirrored
// Records are compared as they were given, and as they are returned.
struct point { int x, y; };
struct point mirrored(struct point p)
    __fathom_requires(p.x > 0 && p.y > 0)
    __fathom_ensures(__fathom_result.x == p.y && __fathom_result.y == p.x)
{
    int x = p.x;
    p.x = p.y;
    p.y = x;
    return p;
}
