/* The order of bytes in networks: the highest first. */

unsigned htonl(unsigned x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

unsigned ntohl(unsigned x)
{
    return htonl(x);
}

unsigned short htons(unsigned short x)
{
    return x << 8 | x >> 8;
}

unsigned short ntohs(unsigned short x)
{
    return htons(x);
}
