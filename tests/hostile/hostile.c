/* A hostile engine in C: see hostile.py, which says what its environment means.

       hostile gtp|gomocup|dighere

   It makes its system calls itself, without what an interpreter brings along. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define NOT_TRIED 1000
#define DONE 0
#define OWN 1001
#define LIMITED 1002

static int gentle;

static const char *told(const char *name) {
    char full[64];
    snprintf(full, sizeof full, "HOSTILE_%s", name);
    const char *value = getenv(full);
    return value ? value : "/nowhere";
}

static char *path_in(const char *folder, const char *rest) {
    static char paths[8][4096];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, 4096, "%s/%s", told(folder), rest);
    return path;
}

static int result(long value) { return value < 0 ? errno : DONE; }

static int contained(void) { return getppid() == 1; }

/* Processes */

static pid_t targets[64];
static const char *names[64];
static int count;

static void target(const char *name, pid_t pid) {
    for (int at = 0; at < count; at++)
        if (targets[at] == pid) return;
    if (pid > 1 && pid != getpid() && count < 64) {
        names[count] = name;
        targets[count++] = pid;
    }
}

/* Whether a process descends from the worker: any other that can be seen is nobody's to try things on. */
static int is_of_worker(pid_t pid) {
    for (int step = 0; step < 8; step++) {
        char path[64], text[512] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        int file = open(path, O_RDONLY);
        if (file < 0) return 0;
        long size = read(file, text, sizeof text - 1);
        close(file);
        char *end = size > 0 ? strrchr(text, ')') : 0;
        if (!end || sscanf(end + 1, " %*c %d", &pid) != 1) return 0;
        if (pid == atoi(told("WORKER"))) return 1;
    }
    return 0;
}

static void look_around(void) {
    count = 0;
    target("worker", atoi(told("WORKER")));
    target("scheduler", atoi(told("SCHEDULER")));
    target("other", atoi(told("OTHER")));
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[300], words[4096];
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        int file = open(path, O_RDONLY);
        long size = file < 0 ? 0 : read(file, words, sizeof words);
        if (file >= 0) close(file);
        pid_t pid = atoi(entry->d_name);
        if (!is_of_worker(pid)) continue;
        if (size > 0 && memmem(words, size, "launcher", 8) && pid != getppid()) target("launcher", pid);
        if (size > 0 && memmem(words, size, "vice", 4)) target("opponent", pid);
    }
    if (folder) closedir(folder);
}

static char reached[256];

static int on_others(int (*deed)(pid_t)) {
    int last = ESRCH, done = 0;
    look_around();
    for (int at = 0; at < count; at++) {
        int failure = deed(targets[at]);
        if (failure) {
            last = failure;
        } else {
            done = 1;
            strcat(strcat(reached, *reached ? "," : " "), names[at]);
        }
    }
    return done ? DONE : last;
}

static int kill_one(pid_t pid) { return result(kill(pid, gentle ? 0 : SIGKILL)); }
static int stop_one(pid_t pid) { return result(kill(pid, gentle ? 0 : SIGSTOP)); }
static int trace_one(pid_t pid) { return result(ptrace(PTRACE_ATTACH, pid, 0, 0)); }

static int pidfd_one(pid_t pid) {
    int descriptor = syscall(SYS_pidfd_open, pid, 0);
    return descriptor < 0 ? errno : result(syscall(SYS_pidfd_send_signal, descriptor, gentle ? 0 : SIGKILL, 0, 0));
}

static int take_one(pid_t pid) {
    int descriptor = syscall(SYS_pidfd_open, pid, 0);
    return descriptor < 0 ? errno : result(syscall(438, descriptor, 1, 0));
}

static int vm_one(pid_t pid) {
    char path[64], line[64] = "", into[8];
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    int file = open(path, O_RDONLY);
    if (file < 0 || read(file, line, sizeof line - 1) < 0) return errno;
    close(file);
    struct iovec here = {into, 8}, there = {(void *)strtoul(line, 0, 16), 8};
    return result(process_vm_readv(pid, &here, 1, &there, 1, 0));
}

static int open_of(pid_t pid, const char *name, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int file = open(path, flags);
    if (file < 0) return errno;
    if (!gentle && !strcmp(name, "fd/1") && write(file, "= resign\n\n", 10) < 0) return errno;
    close(file);
    return DONE;
}

static int read_mem(pid_t pid) { return open_of(pid, "mem", O_RDONLY); }
static int write_mem(pid_t pid) { return open_of(pid, "mem", O_RDWR); }
static int read_environ(pid_t pid) { return open_of(pid, "environ", O_RDONLY); }
static int open_fd(pid_t pid) { return open_of(pid, "fd/1", O_WRONLY | O_NONBLOCK); }

static int renice_one(pid_t pid) {
    errno = 0;
    int now = getpriority(PRIO_PROCESS, pid);
    return errno ? errno : result(setpriority(PRIO_PROCESS, pid, gentle ? now : 19));
}

static int ionice_one(pid_t pid) { return result(syscall(SYS_ioprio_set, 1, pid, gentle ? 0 : 3 << 13)); }

static int policy_one(pid_t pid) {
    struct sched_param none = {0};
    int now = sched_getscheduler(pid);
    return now < 0 ? errno : result(sched_setscheduler(pid, gentle ? now : SCHED_IDLE, &none));
}

static int pin_one(pid_t pid) {
    cpu_set_t cores;
    if (sched_getaffinity(pid, sizeof cores, &cores) < 0) return errno;
    if (!gentle)
        for (int at = 0, found = 0; at < CPU_SETSIZE; at++)
            if (CPU_ISSET(at, &cores) && found++) CPU_CLR(at, &cores);
    return result(sched_setaffinity(pid, sizeof cores, &cores));
}

static int limit_one(pid_t pid) {
    struct rlimit limit;
    if (prlimit(pid, RLIMIT_NOFILE, 0, &limit) < 0) return errno;
    if (!gentle) limit.rlim_cur = 90;
    return result(prlimit(pid, RLIMIT_NOFILE, &limit, 0));
}

static int try_kill(void) { return on_others(kill_one); }
static int try_stop(void) { return on_others(stop_one); }
static int try_pidfd(void) { return on_others(pidfd_one); }
static int try_trace(void) { return gentle ? NOT_TRIED : on_others(trace_one); }
static int try_vm_read(void) { return on_others(vm_one); }
static int try_read_mem(void) { return on_others(read_mem); }
static int try_write_mem(void) { return on_others(write_mem); }
static int try_read_environ(void) { return on_others(read_environ); }
static int try_open_fd(void) { return on_others(open_fd); }
static int try_take_fd(void) { return on_others(take_one); }
static int try_renice(void) { return on_others(renice_one); }
static int try_ionice(void) { return on_others(ionice_one); }
static int try_policy(void) { return on_others(policy_one); }
static int try_affinity(void) { return on_others(pin_one); }
static int try_prlimit(void) { return on_others(limit_one); }

static int try_kill_all(void) {
    if (gentle || !contained()) return NOT_TRIED;
    kill(-1, SIGKILL);
    return OWN;
}

static int try_kill_init(void) {
    const int signals[] = {SIGKILL, SIGSTOP, SIGTERM, SIGINT, SIGUSR1};
    if (gentle || !contained()) return NOT_TRIED;
    for (int at = 0; at < 5; at++)
        if (kill(1, signals[at]) < 0) return errno;
    for (int at = 0; at < 1000; at++) kill(1, SIGCHLD);
    return OWN;
}

static int try_limit_init(void) {
    struct rlimit few = {3, 3};
    if (!contained()) return NOT_TRIED;
    int failure = result(setpriority(PRIO_PROCESS, 1, getpriority(PRIO_PROCESS, 1) + 5));
    if (!failure) failure = result(prlimit(1, RLIMIT_NOFILE, &few, 0));
    return failure ? failure : OWN;
}

/* Files */

static int open_read(const char *path) {
    char some[16];
    int file = open(path, O_RDONLY);
    if (file < 0) return errno;
    long size = read(file, some, sizeof some);
    int failure = size < 0 ? errno : size == 0 ? ENOENT : DONE;
    close(file);
    return failure;
}

static int open_write(const char *path, int flags) {
    struct stat found;
    int file = open(path, O_WRONLY | flags);
    if (file < 0) return errno;
    int failure = fstat(file, &found) < 0 ? errno : found.st_rdev ? ENOENT : DONE;
    if (!failure && !gentle) failure = result(write(file, "hostile", 7));
    close(file);
    return failure;
}

static const char *victim(void) { return path_in("OUTSIDE", "victim"); }
static const char *record(void) { return getenv("HOSTILE_RECORD") ? told("RECORD") : path_in("EVENT", "e.games/0.sgf"); }

static int try_read_store(void) { return open_read(path_in("EVENT", "e.db")); }
static int try_read_wal(void) { return open_read(path_in("EVENT", "e.db-wal")) ? open_read(path_in("EVENT", "e.db-shm")) : DONE; }
static int try_write_store(void) { return open_write(path_in("EVENT", "e.db"), 0); }
static int try_write_log(void) { return open_write(path_in("EVENT", "e.log"), O_APPEND); }
static int try_read_control(void) { return open_read(path_in("EVENT", "e.toml")); }
static int try_write_control(void) { return open_write(path_in("EVENT", "e.toml"), O_APPEND); }
static int try_read_record(void) { return open_read(record()); }
static int try_write_record(void) { return open_write(record(), 0); }
static int try_read_folder(void) { return open_read(path_in("EVENT", "e.folders/other/plan")); }
static int try_read_home(void) { return open_read(path_in("HOME", ".ssh/id")); }
static int try_read_shadow(void) { return open_read("/etc/shadow"); }

static int try_link_record(void) {
    if (gentle) return NOT_TRIED;
    return unlink(record()) < 0 ? errno : result(symlink(victim(), record()));
}

static int try_create(void) { return gentle ? NOT_TRIED : open_write(path_in("OUTSIDE", "created"), O_CREAT); }
static int try_overwrite(void) { return open_write(victim(), 0); }
static int try_truncate(void) { return gentle ? NOT_TRIED : result(truncate(victim(), 0)); }
static int try_remove(void) { return gentle ? NOT_TRIED : result(unlink(victim())); }
static int try_rename(void) { return gentle ? NOT_TRIED : result(rename(victim(), path_in("OUTSIDE", "renamed"))); }
static int try_hard_link(void) { return gentle ? NOT_TRIED : result(link(victim(), "linked")); }
static int try_chmod(void) { return gentle ? NOT_TRIED : result(chmod(victim(), 0777)); }

static int try_utime(void) {
    const struct timeval times[2] = {{1, 0}, {1, 0}};
    return gentle ? NOT_TRIED : result(utimes(victim(), times));
}

static int try_xattr(void) { return gentle ? NOT_TRIED : result(setxattr(victim(), "user.hostile", "1", 1, 0)); }

/* Whether a layer lies over a folder. */
static int is_copy(const char *folder) {
    char text[4096], wanted[4096];
    int found = 0;
    FILE *file = fopen("/proc/self/mountinfo", "r");
    snprintf(wanted, sizeof wanted, " %s ", folder);
    while (file && fgets(text, sizeof text, file)) found |= strstr(text, wanted) && strstr(text, " overlay ");
    if (file) fclose(file);
    return found;
}

static int try_chmod_folder(void) {
    struct stat found;
    if (stat(told("EVENT"), &found) < 0) return errno;
    if (chmod(told("EVENT"), gentle ? found.st_mode & 07777 : 0700) < 0) return errno;
    return is_copy(told("EVENT")) ? OWN : DONE;
}

static int try_chmod_system(void) {
    struct stat found;
    return stat("/dev/null", &found) < 0 ? errno : result(chmod("/dev/null", found.st_mode & 07777));
}

static int try_take_lock(void) {
    struct stat found;
    int file = open(path_in("EVENT", "e.lock"), O_RDONLY);
    if (file < 0) return errno;
    if (!fstat(file, &found) && found.st_rdev) return ENOENT;
    int failure = result(flock(file, LOCK_EX | LOCK_NB));
    close(file);
    return failure;
}

/* Leave a program with rights in a folder that lasts, by each call that has a mode. */
static int try_set_uid_file(void) {
    enum { MODE = 06755, NEW = O_CREAT | O_WRONLY };
    const unsigned long how[3] = {NEW, MODE, 0};
    const char *ways[] = {"c-chmod", "c-fchmod", "c-fchmodat2", "c-open", "c-creat", "c-mknod", "c-openat2", "c-mkdir"};
    int done = 0, last = EPERM;
    umask(0);
    for (size_t at = 0; at < sizeof ways / sizeof *ways; at++) {
        char *path = path_in("LASTING", ways[at]);
        struct stat found;
        int file = at < 3 ? open(path, NEW, 0755) : -1;
        long code = at == 0   ? chmod(path, MODE)
                    : at == 1 ? fchmod(file, MODE)
                    : at == 2 ? syscall(452, AT_FDCWD, path, MODE, 0)
                    : at == 3 ? syscall(SYS_openat, AT_FDCWD, path, NEW, MODE)
                    : at == 4 ? creat(path, MODE)
                    : at == 5 ? mknod(path, S_IFREG | MODE, 0)
                    : at == 6 ? syscall(437, AT_FDCWD, path, how, sizeof how)
                              : mkdir(path, 02777) || chmod(path, 02777);
        if (code < 0) last = errno;
        if (!lstat(path, &found) && found.st_mode & (S_ISUID | S_ISGID)) {
            done = 1;
            strcat(strcat(reached, *reached ? "," : " "), ways[at]);
        }
        if (at > 2 && at != 5 && at != 7 && code > 0) close(code);
        if (file >= 0) close(file);
        if (gentle) remove(path);
    }
    return done ? DONE : last;
}

static int try_lease(void) {
    int file = open(victim(), O_RDONLY);
    if (file < 0) return errno;
    int failure = result(fcntl(file, F_SETLEASE, F_WRLCK));
    if (gentle) close(file);
    return failure;
}

static int try_lock(void) {
    int file = open(victim(), O_RDONLY);
    if (file < 0) return errno;
    int failure = result(flock(file, LOCK_EX | LOCK_NB));
    close(file);
    return failure;
}

/* Sockets */

static int connected(int family, const void *address, socklen_t size) {
    int file = socket(family, SOCK_STREAM, 0);
    if (file < 0) return errno;
    int failure = result(connect(file, address, size));
    if (!failure && !gentle) failure = result(write(file, "{\"do\": \"stop\"}\n", 15));
    close(file);
    return failure;
}

static int connected_to_path(const char *path, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + is_abstract, sizeof address.sun_path - 1, "%s", path);
    return connected(AF_UNIX, &address, offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(path));
}

static int try_control_socket(void) { return connected_to_path(path_in("EVENT", "e.sock"), 0); }
static int try_unix_socket(void) { return connected_to_path(path_in("OUTSIDE", "s.sock"), 0); }
static int try_abstract_socket(void) { return connected_to_path(told("ABSTRACT"), 1); }

static int try_connect(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(told("PORT")))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connected(AF_INET, &address, sizeof address);
}

static int has_network(void) {
    char name[64] = "";
    return readlink("/proc/self/ns/net", name, sizeof name - 1) > 0 && !strcmp(name, told("NETWORK"));
}

static int try_listen(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    if (file < 0 || bind(file, (void *)&address, sizeof address) < 0 || listen(file, 1) < 0) return errno;
    close(file);
    return has_network() ? DONE : OWN;
}

static int try_udp(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(told("UDP")))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    if (file < 0 || sendto(file, "hostile", 7, 0, (void *)&address, sizeof address) < 0) return errno;
    close(file);
    return has_network() ? DONE : OWN;
}

static int try_netlink(void) {
    struct sockaddr address = {.sa_family = AF_NETLINK};
    int file = socket(AF_NETLINK, SOCK_RAW, 0);
    if (file < 0 || bind(file, &address, 12) < 0) return errno;
    close(file);
    return has_network() ? DONE : OWN;
}

static int try_families(void) {
    const int families[] = {AF_VSOCK, AF_ALG, AF_PACKET, AF_BLUETOOTH, AF_CAN, AF_TIPC}, kinds[] = {SOCK_STREAM, SOCK_RAW, SOCK_SEQPACKET};
    int done = 0, last = EAFNOSUPPORT;
    for (int at = 0; at < 18; at++) {
        int file = socket(families[at % 6], kinds[at / 6], 0);
        if (file < 0) last = errno;
        else done = 1, close(file);
    }
    return done ? DONE : last;
}

/* The system */

static int in_a_child(int (*deed)(void)) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int code = deed();
        _exit(code == OWN ? 254 : code == NOT_TRIED ? 253 : code & 127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0) return errno;
    if (!WIFEXITED(status)) return EINTR;
    int code = WEXITSTATUS(status);
    return code == 254 ? OWN : code == 253 ? NOT_TRIED : code;
}

static int be_root(void) {
    char text[64];
    uid_t uid = getuid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) return errno;
    int file = open("/proc/self/uid_map", O_WRONLY);
    if (file < 0) return errno;
    return write(file, text, snprintf(text, sizeof text, "0 %d 1", uid)) < 0 ? errno : OWN;
}

static int mount_one(void) {
    unshare(CLONE_NEWUSER | CLONE_NEWNS);
    int failure = result(mount("none", "/mnt", "tmpfs", 0, 0));
    return failure ? failure : OWN;
}

static int unmask_one(void) {
    unshare(CLONE_NEWUSER | CLONE_NEWNS);
    return umount2(path_in("EVENT", "e.db"), MNT_DETACH) && umount2(told("EVENT"), MNT_DETACH) ? errno : DONE;
}

static int join_one(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/mnt", told("WORKER"));
    int file = open(path, O_RDONLY);
    return file < 0 ? errno : result(setns(file, 0));
}

static int chroot_one(void) {
    mkdir("root", 0700);
    return result(chroot("root"));
}

static int set_uid_one(void) { return result(setresuid(12345, 12345, 12345)); }

static int try_user_namespace(void) { return in_a_child(be_root); }
static int try_mount(void) { return in_a_child(mount_one); }
static int try_unmask(void) { return gentle ? NOT_TRIED : in_a_child(unmask_one); }
static int try_join(void) { return in_a_child(join_one); }
static int try_chroot(void) { return in_a_child(chroot_one); }
static int try_set_uid(void) { return in_a_child(set_uid_one); }
static int try_devices(void) { return result(mknod("memory", S_IFCHR | 0600, 0x101)); }

#ifdef __x86_64__
/* getpid by a 32-bit call, then by its number in x32. */
static int by_another_table(void) {
    int found = 20;
    __asm__ volatile("int $0x80" : "+a"(found) : : "memory", "r8", "r9", "r10", "r11");
    return found == getpid() ? OWN : result(syscall(0x40000000 | SYS_getpid)) ? errno : OWN;
}

static int try_other_tables(void) { return in_a_child(by_another_table); }
#else
static int try_other_tables(void) { return NOT_TRIED; }
#endif

static int try_fanotify(void) {
    int file = syscall(SYS_fanotify_init, 0, 0);
    return file < 0 ? errno : (close(file), OWN);
}

static int try_frozen_pages(void) {
    int file = syscall(SYS_userfaultfd, 1 | O_CLOEXEC);
    return file < 0 ? errno : (close(file), OWN);
}

static int try_keyring(void) {
    return gentle ? NOT_TRIED : result(syscall(SYS_add_key, "user", "hostile", "hostile", 7, -4));
}

static int try_tty(void) {
    int file = open("/dev/tty", O_RDWR | O_NONBLOCK);
    if (file < 0) return errno;
    return gentle ? NOT_TRIED : result(ioctl(file, TIOCSTI, "\n"));
}

static int try_terminal(void) {
    struct termios settings;
    int file = open(told("TERMINAL"), O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return errno;
    if (tcgetattr(file, &settings) < 0) return errno;
    if (!gentle) settings.c_lflag &= ~ISIG;
    return result(tcsetattr(file, TCSANOW, &settings));
}

/* Resources */

static const int LIMITS[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_RTPRIO, RLIMIT_NICE};
enum { LIMIT_COUNT = sizeof LIMITS / sizeof *LIMITS };
static int to_child[2], from_child[2];

/* Fork as the first thing: a child whose limits are those that there were at the very start. */
static void have_early_child(void) {
    rlim_t hard[LIMIT_COUNT];
    char asked;
    if (pipe2(to_child, O_CLOEXEC) || pipe2(from_child, O_CLOEXEC) || fork()) return;
    close(to_child[1]);
    if (read(to_child[0], &asked, 1) == 1) {
        for (int at = 0; at < LIMIT_COUNT; at++) {
            struct rlimit limit = {0, 0};
            getrlimit(LIMITS[at], &limit);
            hard[at] = limit.rlim_max;
        }
        if (write(from_child[1], hard, sizeof hard) < 0) _exit(1);
    }
    _exit(0);
}

static int try_early_child(void) {
    rlim_t hard[LIMIT_COUNT];
    if (gentle) return NOT_TRIED;
    if (write(to_child[1], "?", 1) != 1 || read(from_child[0], hard, sizeof hard) != sizeof hard) return errno ? errno : EIO;
    for (int at = 0; at < LIMIT_COUNT; at++) {
        struct rlimit limit = {0, 0};
        getrlimit(LIMITS[at], &limit);
        if (hard[at] > limit.rlim_max) return DONE;
    }
    return LIMITED;
}

static int try_forks(void) {
    pid_t children[300];
    int made = 0, failure = OWN;
    for (; made < (gentle ? 100 : 300); made++) {
        pid_t pid = fork();
        if (pid == 0) {
            sleep(20);
            _exit(0);
        }
        if (pid < 0) {
            failure = LIMITED;
            break;
        }
        children[made] = pid;
    }
    for (int at = 0; at < made; at++) kill(children[at], SIGKILL);
    for (int at = 0; at < made; at++) waitpid(children[at], 0, 0);
    return failure;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

static int try_threads(void) {
    pthread_t threads[300];
    int made = 0;
    pthread_mutex_lock(&gate);
    while (made < 300 && !pthread_create(&threads[made], 0, wait_at_gate, 0)) made++;
    pthread_mutex_unlock(&gate);
    for (int at = 0; at < made; at++) pthread_join(threads[at], 0);
    return made < 300 ? LIMITED : OWN;
}

static int leave_behind(int hidden) {
    char *const words[] = {"gyoji-hostile-daemon", "60", 0}, *const nothing[] = {0};
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0) return errno;
    if (pid) {
        waitpid(pid, 0, 0);
        return OWN;
    }
    setsid();
    if (fork()) _exit(0);
    for (int at = 0; at < 3; at++) close(at);
    if (!hidden) execv("/bin/sleep", words);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    execve("/bin/sleep", words, nothing);
    _exit(1);
}

static int try_daemon(void) { return leave_behind(0); }
static int try_hidden_daemon(void) { return gentle ? NOT_TRIED : leave_behind(1); }

static int fill(int file, int megabytes) {
    static char piece[1 << 20];
    for (int at = 0; at < megabytes; at++)
        if (write(file, piece, sizeof piece) < 0) return errno;
    return OWN;
}

static int fill_path(const char *path, int megabytes) {
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file < 0) return errno;
    int failure = fill(file, megabytes);
    close(file);
    return failure;
}

static int try_shm(void) {
    int failure = fill_path("/dev/shm/gyoji-hostile", 8);
    if (gentle) unlink("/dev/shm/gyoji-hostile");
    return failure;
}

static int try_sysv(void) {
    int number = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
    if (number < 0) return errno;
    if (gentle) shmctl(number, IPC_RMID, 0);
    return OWN;
}

static int try_one_file(void) { return fill_path("large", 32); }

static int try_unlinked(void) {
    int file = open("unlinked", O_CREAT | O_WRONLY, 0600);
    if (file < 0) return errno;
    unlink("unlinked");
    return fill(file, 16);
}

static int try_sparse(void) {
    signal(SIGXFSZ, SIG_IGN);
    int file = open("sparse", O_CREAT | O_WRONLY, 0600);
    if (file < 0 || ftruncate(file, 1L << 40) < 0) return errno;
    return OWN;
}

/* More than anybody has to spare follows: only where something limits it. */

static int try_much_memory(void) {
    for (int at = 0; at < 64; at++) {
        char *piece = malloc(64 << 20);
        if (!piece) return LIMITED;
        memset(piece, 1, 64 << 20);
    }
    return OWN;
}

static int try_much_disk(void) { return fill_path("much", 4096); }

static int make_files(const char *folder, int wanted) {
    char path[64];
    mkdir(folder, 0700);
    for (int at = 0; at < wanted; at++) {
        snprintf(path, sizeof path, "%s/%d", folder, at);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        if (file < 0) return errno;
        close(file);
    }
    return OWN;
}

static int try_many_files(void) { return make_files("many", 3000); }
static int try_very_many_files(void) { return make_files("very-many", 100000); }
static int try_files_in_tmp(void) { return make_files("/tmp/very-many", 100000); }
static int try_files_in_shm(void) { return make_files("/dev/shm/very-many", 100000); }

static int try_flood(void) {
    for (int at = 0; at < 1 << 16; at++) fputs("\033[2J flood \342\200\256 <b>flood</b> =1+1 flood flood flood flood\n", stderr);
    return OWN;
}

static const struct {
    const char *name;
    int (*deed)(void);
} ATTEMPTS[] = {
    {"kill", try_kill}, {"stop", try_stop}, {"pidfd", try_pidfd}, {"trace", try_trace}, {"vm-read", try_vm_read},
    {"read-mem", try_read_mem}, {"write-mem", try_write_mem}, {"read-environ", try_read_environ},
    {"open-fd", try_open_fd}, {"take-fd", try_take_fd}, {"renice", try_renice}, {"ionice", try_ionice},
    {"policy", try_policy}, {"affinity", try_affinity}, {"prlimit", try_prlimit}, {"kill-all", try_kill_all},
    {"kill-init", try_kill_init}, {"limit-init", try_limit_init}, {"read-store", try_read_store},
    {"read-wal", try_read_wal}, {"write-store", try_write_store}, {"write-log", try_write_log},
    {"take-lock", try_take_lock}, {"read-control", try_read_control}, {"write-control", try_write_control},
    {"read-record", try_read_record}, {"write-record", try_write_record}, {"link-record", try_link_record},
    {"read-folder", try_read_folder}, {"read-home", try_read_home}, {"read-shadow", try_read_shadow},
    {"create", try_create}, {"overwrite", try_overwrite}, {"truncate", try_truncate}, {"remove", try_remove},
    {"rename", try_rename}, {"hard-link", try_hard_link}, {"chmod", try_chmod}, {"utime", try_utime},
    {"xattr", try_xattr}, {"chmod-folder", try_chmod_folder}, {"chmod-system", try_chmod_system},
    {"control-socket", try_control_socket}, {"unix-socket", try_unix_socket},
    {"abstract-socket", try_abstract_socket}, {"connect", try_connect}, {"listen", try_listen}, {"udp", try_udp},
    {"netlink", try_netlink}, {"user-namespace", try_user_namespace}, {"mount", try_mount},
    {"unmask", try_unmask}, {"join", try_join}, {"chroot", try_chroot}, {"keyring", try_keyring},
    {"set-uid-file", try_set_uid_file}, {"lease", try_lease}, {"lock", try_lock}, {"families", try_families},
    {"other-tables", try_other_tables}, {"fanotify", try_fanotify}, {"frozen-pages", try_frozen_pages},
    {"early-child", try_early_child}, {"set-uid", try_set_uid}, {"devices", try_devices}, {"tty", try_tty}, {"terminal", try_terminal},
    {"forks", try_forks}, {"threads", try_threads}, {"daemon", try_daemon}, {"hidden-daemon", try_hidden_daemon},
    {"shm", try_shm}, {"sysv", try_sysv}, {"one-file", try_one_file}, {"many-files", try_many_files},
    {"sparse", try_sparse}, {"unlinked", try_unlinked}, {"flood", try_flood}, {"much-memory", try_much_memory},
    {"much-disk", try_much_disk}, {"very-many-files", try_very_many_files}, {"files-in-tmp", try_files_in_tmp},
    {"files-in-shm", try_files_in_shm},
};

static void attempt(const char *name) {
    for (size_t at = 0; at < sizeof ATTEMPTS / sizeof *ATTEMPTS; at++) {
        if (strcmp(ATTEMPTS[at].name, name)) continue;
        *reached = 0;
        int code = ATTEMPTS[at].deed();
        const char *text = code == OWN ? "own" : code == LIMITED ? "limited" : code == NOT_TRIED ? "not tried" : 0;
        fprintf(stderr, "TRY %s: %s%s\n", name, text ? text : code ? strerrorname_np(code) : "done", code ? "" : reached);
        fflush(stderr);
    }
}

static void attempt_all(void) {
    static int tried;
    char *names_left = strdup(told(tried++ ? "LATE" : "TRY"));
    for (char *name; (name = strsep(&names_left, ","));) attempt(name);
}

/* The conversation */

static char line[1 << 16];

static void gtp(void) {
    while (fgets(line, sizeof line, stdin)) {
        const char *answer = "";
        if (!strncmp(line, "genmove", 7)) {
            attempt_all();
            answer = "pass";
        } else if (!strncmp(line, "name", 4)) {
            answer = "hostile";
        } else if (!strncmp(line, "protocol_version", 16)) {
            answer = "2";
        } else if (!strncmp(line, "version", 7)) {
            answer = "1";
        } else if (!strncmp(line, "known_command", 13)) {
            answer = "false";
        }
        printf("= %s\n\n", answer);
        fflush(stdout);
        if (!strncmp(line, "quit", 4)) return;
    }
}

static void gomocup(void) {
    static char taken[64][64];
    int size = 20, x, y;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "START %d", &size) == 1) {
            printf("OK\n");
        } else if (!strncmp(line, "ABOUT", 5)) {
            printf("name=\"hostile\", version=\"1\"\n");
        } else if (!strncmp(line, "BEGIN", 5) || !strncmp(line, "TURN", 4)) {
            if (sscanf(line, "TURN %d,%d", &x, &y) == 2) taken[y][x] = 1;
            attempt_all();
            for (x = y = 0; taken[y][x];) {
                x += 2;
                if (x >= size) x = 0, y++;
            }
            taken[y][x] = 1;
            printf("%d,%d\n", x, y);
        } else if (!strncmp(line, "END", 3)) {
            return;
        }
        fflush(stdout);
    }
}

static void dighere(void) {
    for (int number = 1; fgets(line, sizeof line, stdin); number++)
        if (number % 13 == 0) {
            attempt_all();
            printf("-1\n");
            fflush(stdout);
        }
}

int main(int words, char **word) {
    const char *protocol = words > 1 ? word[1] : "gtp";
    gentle = !strcmp(told("GENTLE"), "1");
    if (!gentle && getenv("HOSTILE_TRY")) have_early_child();
    if (!strcmp(protocol, "gtp")) gtp();
    if (!strcmp(protocol, "gomocup")) gomocup();
    if (!strcmp(protocol, "dighere")) dighere();
    return 0;
}
