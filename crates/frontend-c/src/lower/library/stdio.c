/* Streams: what comes from outside is arbitrary, and everything may fail. With no choice made, there is nothing.

   A stream is an object that nobody need free; one that was closed no longer lives. __fathom_fail sets errno. Where the program can see
   it, the object begins with what is known of the stream. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned long __VERIFIER_nondet_ulong(void);
long __VERIFIER_nondet_long(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void *malloc(size_t);
void free(void *);
void __fathom_havoc(void *, size_t);
void *__fathom_object(size_t);
void __fathom_stream(void *);
void __fathom_close_stream(void *);
void __fathom_output(const void *, size_t);
void __fathom_fail(void);
int __fathom_looks_at_memory(void);
/* What an execution shows. */
void __fathom_show_putchar(int);
void __fathom_show_fputc(int, void *);
void __fathom_show_puts(const char *);
void __fathom_show_fputs(const char *, void *);
void __fathom_show_fwrite(const void *, size_t, void *);
void __fathom_show_fflush(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __fathom_keeps_streams(void);
void *__fathom_standard_stream(int);
int __fathom_descriptor(void);
void __fathom_close_descriptor(int);
void __fathom_unsupported_a_buffer_of_the_user_for_a_stream(void);
void __fathom_unsupported_more_than_one_character_that_is_pushed_back(void);

/* Whether the end was met, whether something failed, a character that was pushed back, and the number of the file and 1, once
   it is known. start.rs knows of it, for the standard streams. */
struct state {
    unsigned char at_end, failed, is_pushed, character;
    int file;
};

enum { AT_END = 1, FAILED = 2 };

void __fathom_note_stream(void *stream, int what)
{
    struct state *state = stream;
    if (stream != 0 && __fathom_keeps_streams()) {
        __VERIFIER_atomic_begin();
        if (what == AT_END)
            state->at_end = 1;
        else
            state->failed = 1;
        __VERIFIER_atomic_end();
    }
}

/* Reading comes to the end of what there is, or fails. */
void __fathom_end_reading(void *stream)
{
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        __fathom_note_stream(stream, FAILED);
    } else {
        __fathom_note_stream(stream, AT_END);
    }
}

/* Whether the end was met before: then it stays. Only single characters are read that were pushed back. */
int __fathom_is_at_end(void *stream)
{
    struct state *state = stream;
    if (stream == 0 || !__fathom_keeps_streams())
        return 0;
    __VERIFIER_atomic_begin();
    int result = state->at_end;
    if (state->is_pushed)
        __fathom_unsupported_more_than_one_character_that_is_pushed_back();
    __VERIFIER_atomic_end();
    return result;
}

/* After a change of the place, or of the file if all is forgotten. */
static void begin_anew(void *stream, int all)
{
    struct state *state = stream;
    if (stream != 0 && __fathom_keeps_streams()) {
        __VERIFIER_atomic_begin();
        state->at_end = 0;
        state->is_pushed = 0;
        if (all)
            state->failed = 0;
        __VERIFIER_atomic_end();
    }
}

/* The file of a stream is closed, whose number may be known. */
static void close_file(struct state *state)
{
    if (__fathom_keeps_streams()) {
        __VERIFIER_atomic_begin();
        int file = state->file;
        state->file = 0;
        __VERIFIER_atomic_end();
        if (file != 0)
            __fathom_close_descriptor(file - 1);
    }
}

/* What the scanf and printf families leave behind, which are not written here. */
void __fathom_scanned(void *stream, int result)
{
    __fathom_is_at_end(stream);
    if (result == -1)
        __fathom_end_reading(stream);
    else if (__VERIFIER_nondet_bool())
        __fathom_note_stream(stream, AT_END);
}

void __fathom_printed(void *stream, int result)
{
    if (result < 0)
        __fathom_note_stream(stream, FAILED);
}

/* A text is read to its end. */
static void text(const char *s)
{
    if (__fathom_looks_at_memory())
        for (size_t i = 0; s[i] != 0; i++)
            ;
}

static int zero_or_error(void)
{
    if (!__VERIFIER_nondet_bool())
        return 0;
    __fathom_fail();
    return -1;
}

static int some_or_error(void)
{
    int result = __VERIFIER_nondet_int();
    if (result >= 0)
        return result;
    __fathom_fail();
    return -1;
}

static int next(void *stream)
{
    struct state *state = stream;
    if (stream != 0 && __fathom_keeps_streams()) {
        __VERIFIER_atomic_begin();
        int is_pushed = state->is_pushed, at_end = state->at_end;
        state->is_pushed = 0;
        __VERIFIER_atomic_end();
        if (is_pushed)
            return state->character;
        if (at_end)
            return -1;
    }
    int c = __VERIFIER_nondet_uchar();
    if (__VERIFIER_nondet_bool())
        return c;
    __fathom_end_reading(stream);
    return -1;
}

int getchar(void)
{
    return next(__fathom_standard_stream(0));
}

int getchar_unlocked(void)
{
    return getchar();
}

int fgetc(void *stream)
{
    __fathom_stream(stream);
    return next(stream);
}

int getc(void *stream)
{
    return fgetc(stream);
}

int _IO_getc(void *stream)
{
    return fgetc(stream);
}

int getc_unlocked(void *stream)
{
    return fgetc(stream);
}

/* A line and its end, in at most `most` characters. One that is not full and has no end is the last. */
static size_t line(void *stream, char *to, size_t most, int end)
{
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length >= 1 && length <= most);
    __fathom_havoc(to, length);
    for (size_t i = 0; i + 1 < length; i++)
        __VERIFIER_assume((unsigned char)to[i] != end);
    if (length < most && (unsigned char)to[length - 1] != end)
        __fathom_note_stream(stream, AT_END);
    return length;
}

char *fgets(char *to, int size, void *stream)
{
    __fathom_stream(stream);
    if (size <= 0)
        return 0;
    if (size == 1) {
        to[0] = 0;
        return to;
    }
    if (__fathom_is_at_end(stream))
        return 0;
    if (__VERIFIER_nondet_bool()) {
        to[line(stream, to, (size_t)size - 1, '\n')] = 0;
        return to;
    }
    /* After an error, what is in the array is open. */
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        __fathom_note_stream(stream, FAILED);
        line(0, to, (size_t)size - 1, -1);
    } else {
        __fathom_note_stream(stream, AT_END);
    }
    return 0;
}

char *fgets_unlocked(char *to, int size, void *stream)
{
    return fgets(to, size, stream);
}

char *gets(char *to)
{
    void *stream = __fathom_standard_stream(0);
    if (__fathom_is_at_end(stream))
        return 0;
    if (!__VERIFIER_nondet_bool()) {
        __fathom_end_reading(stream);
        return 0;
    }
    if (!__VERIFIER_nondet_bool()) {
        to[0] = 0;
        return to;
    }
    size_t length = line(0, to, (size_t)-1 >> 1, '\n') - 1;
    __VERIFIER_assume(to[length] != '\n');
    to[length + 1] = 0;
    return to;
}

long getdelim(char **to, size_t *size, int end, void *stream)
{
    __fathom_stream(stream);
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < (size_t)-1 >> 2);
    if (__fathom_is_at_end(stream))
        length = 0;
    if (*to == 0 || *size <= length) {
        char *room = malloc(length + 1);
        if (room == 0) {
            __fathom_fail();
            return -1;
        }
        free(*to);
        *to = room;
        *size = length + 1;
    }
    if (length == 0) {
        if (!__fathom_is_at_end(stream))
            __fathom_end_reading(stream);
        return -1;
    }
    __fathom_havoc(*to, length);
    for (size_t i = 0; i + 1 < length; i++)
        __VERIFIER_assume((unsigned char)(*to)[i] != (unsigned char)end);
    if ((unsigned char)(*to)[length - 1] != (unsigned char)end)
        __fathom_note_stream(stream, AT_END);
    (*to)[length] = 0;
    return length;
}

long __getdelim(char **to, size_t *size, int end, void *stream)
{
    return getdelim(to, size, end, stream);
}

long getline(char **to, size_t *size, void *stream)
{
    return getdelim(to, size, '\n', stream);
}

size_t fread(void *to, size_t size, size_t count, void *stream)
{
    __fathom_stream(stream);
    if (size == 0 || count == 0)
        return 0;
    if (__fathom_is_at_end(stream))
        return 0;
    size_t bytes = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(bytes / size <= count && (bytes / size < count || bytes % size == 0));
    __fathom_havoc(to, bytes);
    if (bytes / size < count)
        __fathom_end_reading(stream);
    return bytes / size;
}

size_t fread_unlocked(void *to, size_t size, size_t count, void *stream)
{
    return fread(to, size, count, stream);
}

size_t fwrite(const void *from, size_t size, size_t count, void *stream)
{
    __fathom_stream(stream);
    if (size == 0 || count == 0)
        return 0;
    __fathom_output(from, size * count);
    __fathom_show_fwrite(from, size * count, stream);
    size_t missing = __VERIFIER_nondet_ulong();
    if (missing == 0)
        return count;
    __VERIFIER_assume(missing <= count);
    __fathom_fail();
    __fathom_note_stream(stream, FAILED);
    return count - missing;
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, void *stream)
{
    return fwrite(from, size, count, stream);
}

/* What writing to a stream gives. */
static int written(void *stream, int result)
{
    if (result < 0)
        __fathom_note_stream(stream, FAILED);
    return result;
}

static int character(int c, void *stream)
{
    return written(stream, zero_or_error()) < 0 ? -1 : (unsigned char)c;
}

int putchar(int c)
{
    __fathom_show_putchar(c);
    return character(c, __fathom_standard_stream(1));
}

int putchar_unlocked(int c)
{
    return putchar(c);
}

int fputc(int c, void *stream)
{
    __fathom_stream(stream);
    __fathom_show_fputc(c, stream);
    return character(c, stream);
}

int putc(int c, void *stream)
{
    return fputc(c, stream);
}

int _IO_putc(int c, void *stream)
{
    return fputc(c, stream);
}

int putc_unlocked(int c, void *stream)
{
    return fputc(c, stream);
}

int fputc_unlocked(int c, void *stream)
{
    return fputc(c, stream);
}

int puts(const char *s)
{
    text(s);
    __fathom_show_puts(s);
    return written(__fathom_standard_stream(1), some_or_error());
}

int fputs(const char *s, void *stream)
{
    __fathom_stream(stream);
    text(s);
    __fathom_show_fputs(s, stream);
    return written(stream, some_or_error());
}

int fputs_unlocked(const char *s, void *stream)
{
    return fputs(s, stream);
}

void perror(const char *s)
{
    if (s != 0)
        text(s);
}

int fflush(void *stream)
{
    if (stream != 0)
        __fathom_stream(stream);
    __fathom_show_fflush();
    return written(stream, zero_or_error());
}

static void *new_stream(void)
{
    if (__VERIFIER_nondet_bool()) {
        struct state *state = __fathom_object(256);
        if (__fathom_keeps_streams()) {
            state->file = 0;
            begin_anew(state, 1);
        }
        return state;
    }
    __fathom_fail();
    return 0;
}

void *fopen(const char *name, const char *mode)
{
    text(name);
    text(mode);
    return new_stream();
}

void *fopen64(const char *name, const char *mode)
{
    return fopen(name, mode);
}

void *fdopen(int file, const char *mode)
{
    text(mode);
    struct state *state = new_stream();
    if (state != 0 && __fathom_keeps_streams())
        state->file = file + 1;
    return state;
}

void *popen(const char *command, const char *mode)
{
    text(command);
    text(mode);
    return new_stream();
}

void *tmpfile(void)
{
    return new_stream();
}

void *freopen(const char *name, const char *mode, void *stream)
{
    __fathom_stream(stream);
    if (name != 0)
        text(name);
    text(mode);
    close_file(stream);
    if (__VERIFIER_nondet_bool()) {
        begin_anew(stream, 1);
        return stream;
    }
    __fathom_close_stream(stream);
    __fathom_fail();
    return 0;
}

int fclose(void *stream)
{
    __fathom_stream(stream);
    close_file(stream);
    __fathom_close_stream(stream);
    return zero_or_error();
}

int pclose(void *stream)
{
    __fathom_stream(stream);
    close_file(stream);
    __fathom_close_stream(stream);
    return some_or_error();
}

int feof(void *stream)
{
    __fathom_stream(stream);
    __VERIFIER_atomic_begin();
    int result = ((struct state *)stream)->at_end;
    __VERIFIER_atomic_end();
    return result;
}

int feof_unlocked(void *stream)
{
    return feof(stream);
}

int ferror(void *stream)
{
    __fathom_stream(stream);
    __VERIFIER_atomic_begin();
    int result = ((struct state *)stream)->failed;
    __VERIFIER_atomic_end();
    return result;
}

int ferror_unlocked(void *stream)
{
    return ferror(stream);
}

void clearerr(void *stream)
{
    struct state *state = stream;
    __fathom_stream(stream);
    if (__fathom_keeps_streams()) {
        __VERIFIER_atomic_begin();
        state->at_end = 0;
        state->failed = 0;
        __VERIFIER_atomic_end();
    }
}

int fileno(void *stream)
{
    struct state *state = stream;
    __fathom_stream(stream);
    __VERIFIER_atomic_begin();
    int file = state->file;
    __VERIFIER_atomic_end();
    if (file == 0) {
        file = __fathom_descriptor() + 1;
        __VERIFIER_atomic_begin();
        state->file = file;
        __VERIFIER_atomic_end();
    }
    return file - 1;
}

int fseek(void *stream, long offset, int whence)
{
    __fathom_stream(stream);
    if (zero_or_error() < 0)
        return -1;
    begin_anew(stream, 0);
    return 0;
}

int fseeko(void *stream, long offset, int whence)
{
    return fseek(stream, offset, whence);
}

long ftell(void *stream)
{
    __fathom_stream(stream);
    long place = __VERIFIER_nondet_long();
    if (place >= 0)
        return place;
    __fathom_fail();
    return -1;
}

long ftello(void *stream)
{
    return ftell(stream);
}

void rewind(void *stream)
{
    __fathom_stream(stream);
    begin_anew(stream, 1);
}

int setvbuf(void *stream, char *buffer, int mode, size_t size)
{
    __fathom_stream(stream);
    if (buffer != 0)
        __fathom_unsupported_a_buffer_of_the_user_for_a_stream();
    return zero_or_error();
}

void setbuf(void *stream, char *buffer)
{
    setvbuf(stream, buffer, 0, 0);
}

void setlinebuf(void *stream)
{
    __fathom_stream(stream);
}

void flockfile(void *stream)
{
    __fathom_stream(stream);
}

void funlockfile(void *stream)
{
    __fathom_stream(stream);
}

int fgetc_unlocked(void *stream)
{
    return fgetc(stream);
}

int fflush_unlocked(void *stream)
{
    return fflush(stream);
}

int fileno_unlocked(void *stream)
{
    return fileno(stream);
}

void clearerr_unlocked(void *stream)
{
    clearerr(stream);
}

void setbuffer(void *stream, char *buffer, size_t size)
{
    setvbuf(stream, buffer, 0, size);
}

/* One character can be pushed back. */
int ungetc(int c, void *stream)
{
    struct state *state = stream;
    __fathom_stream(stream);
    if (c == -1)
        return -1;
    __VERIFIER_atomic_begin();
    if (state->is_pushed)
        __fathom_unsupported_more_than_one_character_that_is_pushed_back();
    state->is_pushed = 1;
    state->character = c;
    state->at_end = 0;
    __VERIFIER_atomic_end();
    return (unsigned char)c;
}

char *__fgets_chk(char *to, size_t room, int size, void *stream)
{
    return fgets(to, size, stream);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, void *stream)
{
    return fread(to, size, count, stream);
}

int fsetpos(void *stream, const void *place)
{
    __fathom_stream(stream);
    if (zero_or_error() < 0)
        return -1;
    begin_anew(stream, 0);
    return 0;
}

int fsetpos64(void *stream, const void *place)
{
    return fsetpos(stream, place);
}
