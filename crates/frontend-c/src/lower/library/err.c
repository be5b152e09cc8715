/* Messages that may end the program. */

void exit(int);

void error(int status, int number, const char *format, ...)
{
    if (status != 0)
        exit(status);
}
