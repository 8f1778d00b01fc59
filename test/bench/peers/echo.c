/*
 * What the kernel takes for a query and a reply, whatever is between: datagrams come in batches, each
 * goes back as an authoritative response that is 64 octets longer. Usage: echo PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { BATCH = 64, SIZE = 2048, LONGER = 64 };

static char data[BATCH][SIZE + LONGER];
static struct iovec vectors[BATCH];
static struct mmsghdr messages[BATCH];
static struct sockaddr_in peers[BATCH];

static void offer(int i) {
  vectors[i].iov_base = data[i];
  vectors[i].iov_len = SIZE;
  messages[i].msg_hdr.msg_name = &peers[i];
  messages[i].msg_hdr.msg_namelen = sizeof peers[i];
  messages[i].msg_hdr.msg_iov = &vectors[i];
  messages[i].msg_hdr.msg_iovlen = 1;
}

static void answer(int i) {
  data[i][2] |= 0x84; /* QR, AA */
  data[i][3] = 0;
  vectors[i].iov_len = messages[i].msg_len + LONGER;
}

int main(int argc, char **argv) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0), buffer = 8 << 20;
  if (argc != 2) return 2;
  here.sin_port = htons(atoi(argv[1]));
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (bind(fd, (struct sockaddr *)&here, sizeof here)) return 1;
  for (;;) {
    for (int i = 0; i < BATCH; i++) offer(i);
    int count = recvmmsg(fd, messages, BATCH, MSG_WAITFORONE, 0);
    for (int i = 0; i < count; i++) answer(i);
    for (int sent = 0; sent < count;) {
      int more = sendmmsg(fd, messages + sent, count - sent, 0);
      if (more < 0) break;
      sent += more;
    }
  }
}
