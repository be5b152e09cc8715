//! verdict: true
//! decided-by: morphing
#include <assert.h>
#define ROWS 300
#define COLUMNS 200

int a[ROWS][COLUMNS];

int main(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i * j;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            assert(a[i][j] == i * j);
    return 0;
}
