//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
// An entry ends with its directory.
#include <dirent.h>

int main(void) {
    DIR *directory = opendir(".");
    if (!directory)
        return 0;
    struct dirent *entry = readdir(directory);
    closedir(directory);
    return entry ? entry->d_name[0] : 0;
}
