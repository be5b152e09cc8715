#include "inline_same.h"
extern inline int limit(void);
