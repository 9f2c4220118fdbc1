// Makes each fsync and fdatasync of a program that loads this with LD_PRELOAD wait for the socket that VIRGA_DISK_SOCKET names: it receives the
// path of the file, and replies with a byte, '+' to sync the file or '-' for an input/output error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Returns the reply; 0 if there is no socket or it ends.
static char ask(int file) {
    char link[64], path[4096], reply = 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = getenv("VIRGA_DISK_SOCKET");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    int control = name && length > 0 ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (control < 0) return 0;
    strncpy(address.sun_path, name, sizeof address.sun_path - 1);
    path[length] = '\n';
    if (connect(control, (struct sockaddr *)&address, sizeof address) < 0 || write(control, path, length + 1) < 0
        || read(control, &reply, 1) < 1)
        reply = 0;
    close(control);
    return reply;
}

static int sync_after_reply(int file, const char *name) {
    if (ask(file) == '-') {
        errno = EIO;
        return -1;
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return sync_after_reply(file, "fsync"); }

int fdatasync(int file) { return sync_after_reply(file, "fdatasync"); }
