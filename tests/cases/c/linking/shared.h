struct node;
struct pair {
    int first;
    long second;
};
extern int table[];
extern int counter;
extern struct pair pairs;
int next(void);
struct pair swapped(struct pair given);
int apply(int (*function)(int), int value);
int twice(int value);
int weak_or_strong(void);
struct node *cons(struct node *rest);
int length(struct node *list);
inline int half(int value) { return value / 2; }
