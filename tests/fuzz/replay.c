// SPDX-License-Identifier: MIT
// Runs a fuzz target over the files and folders that are named, where there is no libFuzzer.

// For opendir and stat.
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Each input gets memory of its own size, so that a sanitizer sees every overrun.
static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static int replay(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        fprintf(stderr, "cannot find %s\n", path);
        exit(2);
    }
    if (!S_ISDIR(about.st_mode)) {
        return replay_file(path, (size_t)about.st_size);
    }
    DIR *folder = opendir(path);
    if (!folder) {
        fprintf(stderr, "cannot list %s\n", path);
        exit(2);
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof name) {
            count += replay(name);
        }
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += replay(argv[i]);
    }
    printf("replayed %d inputs\n", count);
    return count > 0 ? 0 : 2;
}
