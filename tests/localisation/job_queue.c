// Property: null-deref
// A queue of jobs as a linked list.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct job {
    int id;
    int priority;
    struct job *next;
};

static struct job *head;
static struct job *tail;
static int length;

static void push(int id, int priority)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return;
    job->id = id;
    job->priority = priority;
    job->next = NULL;
    if (tail == NULL) {
        head = job;
        tail = job;
    } else {
        tail->next = job;
        tail = job;
    }
    length++;
}

static int pop(void)
{
    struct job *job = head;
    int id = job->id;
    head = job->next;
    if (head == NULL)
        tail = NULL;
    length--;
    free(job);
    return id;
}

int main(void)
{
    int served = 0;
    for (int i = 0; i < 4; i++) {
        int what = __VERIFIER_nondet_int();
        if (what > 0)
            push(i, what);
        else if (length >= 0) // FAULT: length > 0
            served += pop();
    }
    return served;
}
