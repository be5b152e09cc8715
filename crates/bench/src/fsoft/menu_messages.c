// The reader for messages of a portable device: an inbox, a text that is scrolled, an answer that is written, and
// what the network brings meanwhile. With FAULT a message that arrives when the inbox is full is counted all the
// same.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

enum key {
    KEY_UP, KEY_DOWN, KEY_SELECT, KEY_BACK, KEY_DIGIT, KEY_CLEAR, TICK, ARRIVES, SENT, NOT_SENT
};
enum screen { IDLE, INBOX, READING, OPTIONS, WRITING, ADDRESS, SENDING, FAILED, ERASE };

#define MOST_MESSAGES 8
#define ROWS 4
#define LINES 5
#define MOST_LINES 30
#define LONGEST_TEXT 160
#define LONGEST_NUMBER 12
#define TRIES 3

enum screen screen = IDLE;

int messages = 0, unread = 0;
int chosen = 0, first = 0;

// The text that is read: how many lines it has, and which of them is at the top.
int lines = 0, top = 0;

int option = 0;

// The answer: its text and the number that it goes to.
int text = 0, digits = 0;
int tries = 0;

// The network's time, when the last message came, and how long the answer takes.
int network_time = 0, arrived = 0, elapsed = 0;

// What the device shows and plays.
int header = 0, footer = 0, lamp = 0, melody = 0, shift = 0, percent = 0;

static enum key next_key(void) {
    int key = __VERIFIER_nondet_int();
    if (key < KEY_UP || key > NOT_SENT)
        abort();
    return key;
}

static int input(int low, int high) {
    int value = __VERIFIER_nondet_int();
    if (value < low || value > high)
        abort();
    return value;
}

// The network tells the time now and then.
static int time_since(int last) {
    int now = __VERIFIER_nondet_int();
    if (now <= last)
        abort();
    return now;
}

static void draw(int new_header, int new_footer) {
    header = new_header;
    footer = new_footer;
    percent = 0;
}

static void play(int which) {
    melody = which;
    lamp = which > 0 ? 1 : 0;
}

static void show_inbox(void) {
    if (chosen < first)
        first = chosen;
    if (chosen >= first + ROWS)
        first = chosen - ROWS + 1;
    draw(1, chosen - first);
    screen = INBOX;
}

static void open_message(void) {
    int is_new;
    if (messages == 0) {
        play(3);
        return;
    }
    is_new = unread > 0 && __VERIFIER_nondet_int();
    if (is_new)
        unread = unread - 1;
    lines = input(1, MOST_LINES);
    top = 0;
    draw(2, is_new ? 1 : 0);
    screen = READING;
}

static void scroll(int step) {
    int next = top + step;
    if (next > lines - LINES)
        next = lines - LINES;
    if (next < 0)
        next = 0;
    top = next;
    if (top == 0)
        shift = 0;
    else if (top + LINES >= lines)
        shift = 2;
    else
        shift = 1;
}

static void close_message(void) {
    lines = 0;
    top = 0;
    show_inbox();
}

static void write_answer(void) {
    text = 0;
    digits = 0;
    tries = 0;
    draw(3, 0);
    screen = WRITING;
}

static void erase(void) {
    messages = messages - 1;
    if (unread > messages)
        unread = messages;
    if (chosen >= messages)
        chosen = messages > 0 ? messages - 1 : 0;
    if (first > chosen)
        first = chosen;
    play(4);
}

static void in_inbox(int key) {
    if (key == KEY_UP) {
        if (chosen > 0)
            chosen = chosen - 1;
        else if (messages > 0)
            chosen = messages - 1;
        show_inbox();
    } else if (key == KEY_DOWN) {
        if (chosen + 1 < messages)
            chosen = chosen + 1;
        else
            chosen = 0;
        show_inbox();
    } else if (key == KEY_SELECT) {
        open_message();
    } else if (key == KEY_BACK) {
        draw(0, unread > 0);
        screen = IDLE;
    } else if (key == KEY_CLEAR && messages > 0) {
        draw(4, 0);
        screen = ERASE;
    }
}

static void in_message(int key) {
    if (key == KEY_UP) {
        scroll(-1);
    } else if (key == KEY_DOWN) {
        scroll(1);
    } else if (key == KEY_DIGIT) {
        scroll(LINES);
    } else if (key == KEY_SELECT) {
        option = 0;
        screen = OPTIONS;
    } else if (key == KEY_BACK) {
        close_message();
    }
}

static void in_options(int key) {
    if (key == KEY_UP && option > 0) {
        option = option - 1;
    } else if (key == KEY_DOWN && option < 2) {
        option = option + 1;
    } else if (key == KEY_BACK) {
        draw(2, 0);
        screen = READING;
    } else if (key == KEY_SELECT) {
        if (option == 0) {
            write_answer();
        } else if (option == 1) {
            lines = 0;
            top = 0;
            draw(4, 0);
            screen = ERASE;
        } else {
            close_message();
        }
        option = 0;
    }
}

static void in_text(int key) {
    if (key == KEY_DIGIT) {
        int typed = input(1, 20);
        if (text + typed <= LONGEST_TEXT)
            text = text + typed;
        else
            play(3);
    } else if (key == KEY_CLEAR) {
        if (text > 0)
            text = text - 1;
    } else if (key == KEY_SELECT) {
        if (text > 0) {
            draw(5, 0);
            screen = ADDRESS;
        }
    } else if (key == KEY_BACK) {
        text = 0;
        draw(2, 0);
        screen = READING;
    }
}

static void send(void) {
    elapsed = 0;
    tries = tries + 1;
    draw(6, tries);
    screen = SENDING;
}

static void in_address(int key) {
    if (key == KEY_DIGIT) {
        if (digits < LONGEST_NUMBER)
            digits = digits + 1;
        else
            play(3);
    } else if (key == KEY_CLEAR) {
        if (digits > 0)
            digits = digits - 1;
    } else if (key == KEY_SELECT) {
        if (digits >= 3)
            send();
    } else if (key == KEY_BACK) {
        digits = 0;
        draw(3, 0);
        screen = WRITING;
    }
}

static void leave_answer(void) {
    text = 0;
    digits = 0;
    tries = 0;
    draw(2, 0);
    screen = READING;
}

static void in_failure(int key) {
    if (key == KEY_SELECT && tries < TRIES)
        send();
    else if (key == KEY_BACK || key == KEY_SELECT)
        leave_answer();
}

static void in_question(int key) {
    if (key == KEY_SELECT) {
        if (messages > 0)
            erase();
        show_inbox();
    } else if (key == KEY_BACK) {
        show_inbox();
    }
}

static void tick(void) {
    int seconds = input(1, 60);
    network_time = time_since(network_time);
    if (lamp && network_time - arrived > 10)
        play(0);
    if (screen == SENDING) {
        elapsed = elapsed + seconds;
        percent = elapsed < 60 ? 1 : 2;
        if (elapsed > 120) {
            draw(7, 0);
            screen = FAILED;
        }
    }
}

static void arrives(void) {
    arrived = network_time;
    play(1);
#ifndef FAULT
    if (messages >= MOST_MESSAGES) {
        play(3);
        return;
    }
#endif
    messages = messages + 1;
    unread = unread + 1;
    if (screen == INBOX)
        show_inbox();
}

static void report(int is_sent) {
    if (screen != SENDING)
        return;
    if (is_sent) {
        play(2);
        leave_answer();
    } else {
        draw(7, tries);
        screen = FAILED;
    }
}

static void press(int key) {
    switch (screen) {
    case IDLE:
        if (key == KEY_SELECT)
            show_inbox();
        break;
    case INBOX:
        in_inbox(key);
        break;
    case READING:
        in_message(key);
        break;
    case OPTIONS:
        in_options(key);
        break;
    case WRITING:
        in_text(key);
        break;
    case ADDRESS:
        in_address(key);
        break;
    case SENDING:
        break;
    case FAILED:
        in_failure(key);
        break;
    case ERASE:
        in_question(key);
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
        case ARRIVES:
            arrives();
            break;
        case SENT:
            report(1);
            break;
        case NOT_SENT:
            report(0);
            break;
        default:
            press(key);
        }
        assert(unread >= 0 && unread <= messages && messages <= MOST_MESSAGES);
        assert(chosen >= 0 && (chosen < messages || chosen == 0));
        assert(first >= 0 && first <= chosen && chosen < first + ROWS);
        assert(top >= 0 && (top == 0 || top + LINES <= lines) && lines <= MOST_LINES);
        assert(text >= 0 && text <= LONGEST_TEXT && digits <= LONGEST_NUMBER);
        assert(tries <= TRIES && (screen != SENDING || tries > 0));
        assert(arrived <= network_time);
        assert(elapsed <= 120 + 60);
    }
}
