//! property: no-data-race
//! verdict: unknown(unsupported: property no-data-race)
int main(void) {
    return 0;
}
