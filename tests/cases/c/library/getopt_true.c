//! run: v 1
//! run: o file
//! run: rest 4 5
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char *arguments[] = {"program", "input", "-v", "-ofile", "last", 0};
    int c;
    while ((c = getopt(5, arguments, "+vo:")) != -1 || optind == 1) {
        if (c == -1)
            optind = 2;
        else if (c == 'v')
            printf("v 1\n");
        else
            printf("%c %s\n", c, optarg);
    }
    printf("rest %d 5\n", optind);
}
