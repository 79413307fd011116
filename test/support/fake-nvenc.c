// libavcodec with an NVENC that any host has: x264 behind NVENC's name, which breaks after PICTURES pictures.
// With NVIDIA_VISIBLE_DEVICES=void, as containers have it that see no card, it does not open. With NVIDIA_VISIBLE_DEVICES=mixed,
// every second encoder has no B-frames, like a card of another generation, so that their headers differ.
// Stands in the loader's way to REAL, the library that it hands everything else to.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void* av_dict_get(const void* dictionary, const char* key, const void* before, int flags);
int av_opt_set_int(void* object, const char* name, int64_t value, int flags);
void av_log(void* context, int level, const char* format, ...);

enum { kContexts = 64, kErrorLevel = 16, kExternalError = -542398533 };

static void* pretended[kContexts];
static int opened, pictures;

static void* real(const char* name) { return dlsym(dlopen(REAL, RTLD_LAZY), name); }

const void* avcodec_find_encoder_by_name(const char* name) {
  const void* (*find)(const char*) = (const void* (*)(const char*))real("avcodec_find_encoder_by_name");
  return find(strcmp(name, "h264_nvenc") == 0 ? "libx264" : name);
}

// Only NVENC has an option named cq.
int avcodec_open2(void* context, const void* codec, void** options) {
  int (*open)(void*, const void*, void**) = (int (*)(void*, const void*, void**))real("avcodec_open2");
  if (options == NULL || av_dict_get(*options, "cq", NULL, 0) == NULL) return open(context, codec, options);
  const char* devices = getenv("NVIDIA_VISIBLE_DEVICES");
  if (devices != NULL && strcmp(devices, "void") == 0) {
    av_log(context, kErrorLevel, "No capable devices found\n");
    return kExternalError;
  }
  if (devices != NULL && strcmp(devices, "mixed") == 0 && opened % 2 == 1) av_opt_set_int(context, "bf", 0, 0);
  pretended[opened++ % kContexts] = context;
  return open(context, codec, NULL);
}

int avcodec_send_frame(void* context, const void* frame) {
  int (*send)(void*, const void*) = (int (*)(void*, const void*))real("avcodec_send_frame");
  for (int i = 0; i < kContexts && i < opened; ++i) {
    if (pretended[i] != context || frame == NULL || ++pictures <= PICTURES) continue;
    av_log(context, kErrorLevel, "EncodePicture failed!: device lost\n");
    return kExternalError;
  }
  return send(context, frame);
}
