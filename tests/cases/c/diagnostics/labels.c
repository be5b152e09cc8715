//! error: 9:5 the value 1 has a case already
//! error: 11:10 the value of a case is not constant
//! error: 14:10 there is no label `nowhere` in this function
//! error: 15:5 `break` is not in a loop or switch
int main(void) {
    int n = 3;
    switch (n) {
    case 1:
    case 1:
        break;
    case n:
        break;
    }
    goto nowhere;
    break;
}
