// An allocator for tests, to be preloaded: it tells whether memory that a library gives back still holds a secret.
//
// watch(begin, end)      from now on, follow the blocks that code at these addresses allocates
// secret(octets, count)  octets by any 16 of which in a row a secret is recognised
// forget()               drop all secrets
// found()                how many followed blocks were given back with 16 octets of a secret, since it was last asked
//
// A block that is followed is zeroed when it is allocated, so that it cannot show what an earlier one held. It is
// moved whenever it is to grow, so that the place it leaves is searched, too.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 16, SECRET_OCTETS = 1 << 16, SLOTS = 1 << 18, BLOCKS = 1 << 20 };

// The allocator of the C library, by names that nothing replaces.
extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t watched_from, watched_to;
static uint8_t secrets[SECRET_OCTETS];
static size_t secret_octets, blocks_found;
static uint32_t windows[SLOTS];  // a hash table: 1 + where in `secrets` a window begins, or 0
static void *followed[BLOCKS];   // a hash table of blocks; `gone` where one was
static char gone;

static size_t slot_of(const uint8_t *window) {
    uint64_t word;
    memcpy(&word, window, sizeof word);
    return (word * 0x9e3779b97f4a7c15) >> 46;
}

static int is_secret(const uint8_t *window) {
    for (size_t slot = slot_of(window); windows[slot]; slot = (slot + 1) % SLOTS) {
        if (memcmp(window, secrets + windows[slot] - 1, WINDOW) == 0) return 1;
    }
    return 0;
}

void watch(uintptr_t begin, uintptr_t end) {
    pthread_mutex_lock(&lock);
    watched_from = begin;
    watched_to = end;
    pthread_mutex_unlock(&lock);
}

void secret(const uint8_t *octets, size_t count) {
    pthread_mutex_lock(&lock);
    if (count > SECRET_OCTETS - secret_octets) abort();
    memcpy(secrets + secret_octets, octets, count);
    for (size_t i = 0; i + WINDOW <= count; i++) {
        size_t slot = slot_of(octets + i);
        while (windows[slot]) slot = (slot + 1) % SLOTS;
        windows[slot] = (uint32_t)(secret_octets + i + 1);
    }
    secret_octets += count;
    pthread_mutex_unlock(&lock);
}

void forget(void) {
    pthread_mutex_lock(&lock);
    memset(windows, 0, sizeof windows);
    secret_octets = 0;
    pthread_mutex_unlock(&lock);
}

size_t found(void) {
    pthread_mutex_lock(&lock);
    size_t count = blocks_found;
    blocks_found = 0;
    pthread_mutex_unlock(&lock);
    return count;
}

static size_t first_place_of(const void *block) {
    return ((uintptr_t)block * 0x9e3779b97f4a7c15) >> 44;
}

static size_t place_of(const void *block) {
    size_t place = first_place_of(block);
    while (followed[place] && followed[place] != block) place = (place + 1) % BLOCKS;
    return place;
}

static int is_watched(const void *caller) {
    return watched_from <= (uintptr_t)caller && (uintptr_t)caller < watched_to;
}

static void *follow(void *block) {
    if (block) {
        memset(block, 0, malloc_usable_size(block));
        pthread_mutex_lock(&lock);
        size_t place = first_place_of(block);
        while (followed[place] && followed[place] != &gone) place = (place + 1) % BLOCKS;
        followed[place] = block;
        pthread_mutex_unlock(&lock);
    }
    return block;
}

static int is_followed(const void *block) {
    pthread_mutex_lock(&lock);
    int is = block && followed[place_of(block)] == block;
    pthread_mutex_unlock(&lock);
    return is;
}

static void search(const uint8_t *block) {
    size_t size = malloc_usable_size((void *)block);
    pthread_mutex_lock(&lock);
    followed[place_of(block)] = &gone;
    int holds = 0;
    for (size_t i = 0; !holds && i + WINDOW <= size; i++) holds = is_secret(block + i);
    blocks_found += (size_t)holds;
    pthread_mutex_unlock(&lock);
}

void free(void *block) {
    if (is_followed(block)) search(block);
    __libc_free(block);
}

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    return is_watched(__builtin_return_address(0)) ? follow(block) : block;
}

void *calloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    void *block = __libc_malloc(count * size);
    if (is_watched(__builtin_return_address(0))) return follow(block);
    return block ? memset(block, 0, count * size) : NULL;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *result = is_watched(__builtin_return_address(0)) ? follow(block) : block;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    return is_watched(__builtin_return_address(0)) ? follow(block) : block;
}

void *realloc(void *block, size_t size) {
    if (!is_followed(block)) {
        void *moved = __libc_realloc(block, size);
        return is_watched(__builtin_return_address(0)) && !block ? follow(moved) : moved;
    }
    void *moved = follow(__libc_malloc(size));
    if (moved) {
        size_t held = malloc_usable_size(block);
        memcpy(moved, block, held < size ? held : size);
        search(block);
        __libc_free(block);
    }
    return moved;
}
