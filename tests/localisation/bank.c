// Property: unreach-call
// Accounts with a credit line: no balance falls below it, and transfers keep the sum.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define ACCOUNTS 3

struct account {
    int balance;
    int credit;
};

static struct account accounts[ACCOUNTS];

static int withdraw(struct account *a, int amount)
{
    if (amount <= 0 || a->balance + a->credit < amount)
        return 0;
    a->balance -= amount;
    return 1;
}

static int deposit(struct account *a, int amount)
{
    if (amount <= 0)
        return 0;
    a->balance += amount;
    return 1;
}

static int transfer(int from, int to, int amount)
{
    if (!withdraw(&accounts[from], amount))
        return 0;
    int fee = amount > 500 ? 2 : 0;
    deposit(&accounts[to], amount - fee); // FAULT: the fee is lost (amount)
    return 1;
}

static int total(void)
{
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance;
    return sum;
}

int main(void)
{
    accounts[0].balance = 1000;
    accounts[1].balance = 200;
    accounts[1].credit = 100;
    accounts[2].balance = 0;
    for (int i = 0; i < 3; i++) {
        int amount = __VERIFIER_nondet_int();
        if (amount < 0 || amount > 1000)
            continue;
        transfer(i % ACCOUNTS, (i + 1) % ACCOUNTS, amount);
        assert(total() == 1200);
    }
    return 0;
}
