// The menu of an audio recorder of a portable device: files of any length fill a memory of any size. With FAULT a
// file that is removed while it plays leaves the player behind.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

enum key { KEY_UP, KEY_DOWN, KEY_SELECT, KEY_BACK, KEY_RECORD, KEY_REMOVE, TICK, CARD_OUT, CARD_IN };
enum screen { NO_CARD, FILES, PLAYING, PAUSED, RECORDING, REMOVE, FULL };

#define MOST_FILES 6
#define ROWS 3
#define LARGEST_CARD 1000000

enum screen screen = NO_CARD;

// The card: how much it holds, and how much of it is used.
int capacity = 0, used = 0;
int files = 0;

// The list: the chosen file, and the one in the first row.
int chosen = 0, first = 0;

// The file that plays or is recorded: its length and how far it went.
int length = 0, position = 0;

// What the display shows, and the lamp.
int title = 0, bar = 0, lamp = 0, message = 0;

static enum key next_key(void) {
    int key = __VERIFIER_nondet_int();
    if (key < KEY_UP || key > CARD_IN)
        abort();
    return key;
}

static int input(int low, int high) {
    int value = __VERIFIER_nondet_int();
    if (value < low || value > high)
        abort();
    return value;
}

static int count_files(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > MOST_FILES)
        abort();
    return count;
}

static void tell(int text) {
    message = text;
    title = 0;
}

static void draw_list(void) {
    int row = chosen - first;
    title = row + 1;
    bar = 0;
    lamp = 0;
}

static void draw_progress(int is_red) {
    if (length > 0 && position > 0)
        bar = position < length ? 1 : 2;
    else
        bar = 0;
    lamp = is_red ? 2 : 1;
}

// The chosen file shall be in a row.
static void scroll(void) {
    if (chosen < first)
        first = chosen;
    if (chosen >= first + ROWS)
        first = chosen - ROWS + 1;
}

static void show_files(void) {
    scroll();
    draw_list();
    screen = FILES;
}

static void insert_card(void) {
    if (screen != NO_CARD)
        return;
    capacity = input(1, LARGEST_CARD);
    files = count_files();
    used = files > 0 ? input(1, LARGEST_CARD) : 0;
    if (used > capacity)
        abort();
    chosen = 0;
    first = 0;
    length = 0;
    position = 0;
    show_files();
}

static void remove_card(void) {
    capacity = 0;
    used = 0;
    files = 0;
    chosen = 0;
    first = 0;
    length = 0;
    position = 0;
    lamp = 0;
    tell(1);
    screen = NO_CARD;
}

static void play(void) {
    if (files == 0) {
        tell(2);
        return;
    }
    length = input(1, LARGEST_CARD);
    if (length > used)
        abort();
    position = 0;
    draw_progress(0);
    screen = PLAYING;
}

static void record(void) {
    if (files >= MOST_FILES || used >= capacity) {
        tell(3);
        screen = FULL;
        return;
    }
    length = 0;
    position = 0;
    draw_progress(1);
    screen = RECORDING;
}

// What was recorded becomes a file.
static void keep(void) {
    if (length > 0) {
        files = files + 1;
        chosen = files - 1;
    }
    length = 0;
    position = 0;
    show_files();
}

static void remove_file(void) {
    int size = input(1, LARGEST_CARD);
    if (files == 1)
        size = used;
    if (size > used || (files > 1 && size == used))
        abort();
    used = used - size;
    files = files - 1;
    if (chosen >= files)
        chosen = files > 0 ? files - 1 : 0;
    if (first > chosen)
        first = chosen;
    tell(4);
}

static void in_files(int key) {
    switch (key) {
    case KEY_UP:
        if (chosen > 0)
            chosen = chosen - 1;
        show_files();
        break;
    case KEY_DOWN:
        if (chosen + 1 < files)
            chosen = chosen + 1;
        show_files();
        break;
    case KEY_SELECT:
        play();
        break;
    case KEY_RECORD:
        record();
        break;
    case KEY_REMOVE:
        if (files > 0)
            screen = REMOVE;
        break;
    default:
        break;
    }
}

static void in_player(int key) {
    switch (key) {
    case KEY_SELECT:
        if (screen == PLAYING) {
            lamp = 0;
            screen = PAUSED;
        } else {
            draw_progress(0);
            screen = PLAYING;
        }
        break;
    case KEY_UP:
    case KEY_DOWN:
        position = input(0, LARGEST_CARD);
        if (position > length)
            position = length;
        draw_progress(0);
        break;
    case KEY_BACK:
        length = 0;
        position = 0;
        show_files();
        break;
    case KEY_REMOVE:
#ifdef FAULT
        remove_file();
#else
        length = 0;
        position = 0;
        screen = REMOVE;
#endif
        break;
    default:
        break;
    }
}

static void in_question(int key) {
    if (key == KEY_SELECT) {
        remove_file();
        show_files();
    } else if (key == KEY_BACK) {
        show_files();
    }
}

static void tick(void) {
    // As much as was played or recorded since the last one.
    int step = input(1, LARGEST_CARD);
    if (screen == PLAYING) {
        position = position + step;
        if (position >= length) {
            length = 0;
            position = 0;
            show_files();
        } else {
            draw_progress(0);
        }
    } else if (screen == RECORDING) {
        int room = capacity - used;
        if (step > room)
            step = room;
        length = length + step;
        position = length;
        used = used + step;
        draw_progress(1);
        if (step == room)
            keep();
    }
}

static void press(int key) {
    switch (screen) {
    case NO_CARD:
        tell(1);
        break;
    case FILES:
        in_files(key);
        break;
    case PLAYING:
    case PAUSED:
        in_player(key);
        break;
    case RECORDING:
        if (key == KEY_SELECT || key == KEY_BACK)
            keep();
        break;
    case REMOVE:
        in_question(key);
        break;
    case FULL:
        show_files();
        break;
    }
}

int main(void) {
    while (1) {
        enum key key = next_key();
        switch (key) {
        case TICK:
            tick();
            break;
        case CARD_OUT:
            remove_card();
            break;
        case CARD_IN:
            insert_card();
            break;
        default:
            press(key);
        }
        assert(used >= 0 && used <= capacity);
        assert(files >= 0 && files <= MOST_FILES);
        assert(chosen >= 0 && (chosen < files || chosen == 0));
        assert(first >= 0 && first <= chosen && chosen < first + ROWS);
        assert(position >= 0 && position <= length);
        assert(length <= used);
        assert(screen == PLAYING || screen == PAUSED || screen == RECORDING || length == 0);
    }
}
