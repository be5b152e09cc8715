// The menu for alarms of a portable device: a state machine that keys, the clock and calls drive. How long the alarm
// rings in all is a product of two settings. With FAULT a call takes the settings over without looking at them.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);

enum key { KEY_UP, KEY_DOWN, KEY_SELECT, KEY_BACK, KEY_END, TICK, INCOMING_CALL, CALL_ENDS };
enum screen { IDLE, LIST, EDIT_HOUR, EDIT_MINUTE, EDIT_SNOOZE, EDIT_TIMES, EDIT_VOLUME, CONFIRM, RINGING, CALLING };

#define ALARMS 4
#define MINUTE_STEP 5
#define LONGEST_SNOOZE 15
#define MOST_TIMES 6
#define LONGEST_RINGING 60
#define LOUDEST 7
#define LOW_BATTERY 3300
#define LONGEST_WAIT 30

enum screen screen = IDLE;
// Where a call came in, to go back there.
enum screen interrupted = IDLE;

// The alarm in the list, and which of them are on.
int cursor = 0;
int is_on = 0;

// What is edited.
int hour = 7, minute = 0;
int snooze = 10, times = 6;
int volume = 4;

// What was accepted.
int alarm_hour = 7, alarm_minute = 0;
int ringing = 60;
int loudness = 4;

// How long no key was pressed, in seconds; then the menu is left by itself.
int waited = 0;

// What the display shows.
int icon = 0, line = 0, blink = 0, tone = 0;
int battery = 4000;

static enum key next_key(void) {
    int key = __VERIFIER_nondet_int();
    if (key < KEY_UP || key > CALL_ENDS)
        abort();
    return key;
}

static int input(int low, int high) {
    int value = __VERIFIER_nondet_int();
    if (value < low || value > high)
        abort();
    return value;
}

static void show(int new_icon, int new_line) {
    icon = new_icon;
    line = new_line;
    blink = 0;
}

static void beep(int is_error) {
    if (battery < LOW_BATTERY)
        tone = 0;
    else if (is_error)
        tone = 440;
    else
        tone = 880;
}

// A digit of a setting, which goes around.
static int turn(int value, int step, int least, int most) {
    int next = value + step;
    if (next > most)
        next = least;
    if (next < least)
        next = most;
    return next;
}

// A setting that stops at its ends.
static int adjust(int value, int step, int least, int most) {
    int next = value + step;
    if (next > most || next < least) {
        beep(1);
        return value;
    }
    return next;
}

static int direction(int key) {
    if (key == KEY_UP)
        return 1;
    if (key == KEY_DOWN)
        return -1;
    return 0;
}

static void enter(enum screen next) {
    screen = next;
    switch (next) {
    case IDLE:
        show(0, 0);
        break;
    case LIST:
        show(1, cursor);
        break;
    case EDIT_HOUR:
    case EDIT_MINUTE:
        show(2, 1);
        blink = 1;
        break;
    case EDIT_SNOOZE:
    case EDIT_TIMES:
        show(3, 2);
        break;
    case EDIT_VOLUME:
        show(4, 3);
        break;
    case CONFIRM:
        show(5, 0);
        break;
    case RINGING:
        show(6, 0);
        tone = 1760;
        break;
    case CALLING:
        show(7, 0);
        break;
    }
}

static void edit_list(int key) {
    int step = direction(key);
    if (step != 0) {
        cursor = turn(cursor, step, 0, ALARMS - 1);
        line = cursor;
    } else if (key == KEY_SELECT) {
        hour = alarm_hour;
        minute = alarm_minute;
        volume = loudness;
        enter(EDIT_HOUR);
    } else if (key == KEY_BACK) {
        enter(IDLE);
    }
}

static void edit_hour(int key) {
    int step = direction(key);
    if (step != 0)
        hour = turn(hour, step, 0, 23);
    else if (key == KEY_SELECT)
        enter(EDIT_MINUTE);
    else if (key == KEY_BACK)
        enter(LIST);
}

static void edit_minute(int key) {
    int step = direction(key);
    if (step != 0)
        minute = turn(minute, MINUTE_STEP * step, 0, 55);
    else if (key == KEY_SELECT)
        enter(EDIT_SNOOZE);
    else if (key == KEY_BACK)
        enter(EDIT_HOUR);
}

static void edit_snooze(int key) {
    int step = direction(key);
    if (step != 0)
        snooze = adjust(snooze, step, 1, LONGEST_SNOOZE);
    else if (key == KEY_SELECT)
        enter(EDIT_TIMES);
    else if (key == KEY_BACK)
        enter(EDIT_MINUTE);
}

static void edit_times(int key) {
    int step = direction(key);
    if (step != 0)
        times = adjust(times, step, 0, MOST_TIMES);
    else if (key == KEY_SELECT)
        enter(EDIT_VOLUME);
    else if (key == KEY_BACK)
        enter(EDIT_SNOOZE);
}

static void edit_volume(int key) {
    int step = direction(key);
    if (step != 0) {
        volume = adjust(volume, step, 0, LOUDEST);
        tone = 110 + volume;
    } else if (key == KEY_SELECT) {
        enter(CONFIRM);
    } else if (key == KEY_BACK) {
        enter(EDIT_TIMES);
    }
}

// Takes the settings over, if the alarm would not ring for too long.
static void accept(void) {
    int length = snooze * times;
    if (length > LONGEST_RINGING) {
        beep(1);
        enter(EDIT_SNOOZE);
        return;
    }
    ringing = length;
    alarm_hour = hour;
    alarm_minute = minute;
    loudness = volume;
    is_on = 1;
    beep(0);
    enter(LIST);
}

static void confirm(int key) {
    if (key == KEY_SELECT)
        accept();
    else if (key == KEY_BACK)
        enter(EDIT_VOLUME);
    else if (key == KEY_DOWN) {
        is_on = 0;
        enter(LIST);
    }
}

static void ring(int key) {
    if (key == KEY_SELECT || key == KEY_END) {
        tone = 0;
        enter(IDLE);
    } else if (key == KEY_BACK) {
        ringing = adjust(ringing, -1, 0, LONGEST_RINGING);
        enter(IDLE);
    }
}

static void tick(void) {
    waited = waited + input(1, 10);
    battery = input(3000, 4200);
    blink = !blink;
    if (waited > LONGEST_WAIT) {
        waited = 0;
        if (screen != RINGING && screen != CALLING)
            enter(IDLE);
    } else if (screen == IDLE && is_on && __VERIFIER_nondet_int()) {
        enter(RINGING);
    }
}

static void incoming_call(void) {
    if (screen == CALLING)
        return;
#ifdef FAULT
    ringing = snooze * times;
#endif
    interrupted = screen == RINGING ? IDLE : screen;
    tone = 1320;
    enter(CALLING);
}

static void press(int key) {
    if (key == KEY_END && screen != RINGING && screen != CALLING) {
        enter(IDLE);
        return;
    }
    waited = 0;
    switch (screen) {
    case IDLE:
        if (key == KEY_SELECT)
            enter(LIST);
        break;
    case LIST:
        edit_list(key);
        break;
    case EDIT_HOUR:
        edit_hour(key);
        break;
    case EDIT_MINUTE:
        edit_minute(key);
        break;
    case EDIT_SNOOZE:
        edit_snooze(key);
        break;
    case EDIT_TIMES:
        edit_times(key);
        break;
    case EDIT_VOLUME:
        edit_volume(key);
        break;
    case CONFIRM:
        confirm(key);
        break;
    case RINGING:
        ring(key);
        break;
    case CALLING:
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
        case INCOMING_CALL:
            incoming_call();
            break;
        case CALL_ENDS:
            if (screen == CALLING)
                enter(interrupted);
            break;
        default:
            press(key);
        }
        assert(cursor >= 0 && cursor < ALARMS);
        assert(hour >= 0 && hour < 24);
        assert(minute >= 0 && minute < 60);
        assert(ringing >= 0 && ringing <= LONGEST_RINGING);
        assert(volume >= 0 && volume <= LOUDEST);
        assert(interrupted != CALLING && interrupted != RINGING);
        assert(waited >= 0 && waited <= LONGEST_WAIT);
    }
}
