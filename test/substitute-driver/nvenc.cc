#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "nvenc_coder.h"
#include "streams.h"

// NVENC with x264 and pictures of samples behind it: H.264 and HEVC from NV12.
//
// A picture is read when the pictures of the session's lookahead have followed it. Memory of another API has
// to stay as it was until the picture is coded: that of a B-frame after the picture of a later frame. Memory
// of this driver may be written in the order of the session's stream.
namespace substitute {
namespace {

constexpr size_t kPitchAlignment = 512;

bool operator==(const GUID& a, const GUID& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// A frame that the encoder reads: its own buffer, or device memory that is registered.
struct Input {
  std::vector<uint8_t> own;
  CUdeviceptr device = 0;
  uint32_t width = 0, height = 0, pitch = 0;
  bool isLocked = false, isMapped = false;

  const uint8_t* bytes() const { return own.empty() ? reinterpret_cast<const uint8_t*>(device) : own.data(); }
};

struct Bitstream {
  std::vector<uint8_t> bytes;
  uint64_t pts = 0;
  NV_ENC_PIC_TYPE type = NV_ENC_PIC_TYPE_UNKNOWN;
  bool isPending = false, isLocked = false;
};

// A picture that has been sent and not been read.
struct Waiting {
  const Input* input = nullptr;
  CoderInput picture;
};

// Memory of another API that must not change.
struct Borrowed {
  CUdeviceptr address = 0;
  size_t pitch = 0;
  uint64_t hash = 0;
};

struct Session {
  int card = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;  // in whose order frames are read
  bool hasStream = false;
  std::unique_ptr<Coder> coder;
  uint32_t width = 0, height = 0;
  size_t lookahead = 0;
  std::deque<Waiting> waiting;
  std::map<uint64_t, Borrowed> borrowed;  // by timestamp
  std::set<Input*> inputs;
  std::set<Bitstream*> bitstreams;
  std::deque<Bitstream*> pending;  // in the order of the frames
  bool isDrained = false;
  std::string lastError;
};

std::mutex mutex;
std::set<Session*> sessions;
// One frame at a time on each card.
std::map<int, std::mutex> engines;

NVENCSTATUS fail(Session& session, NVENCSTATUS status, const std::string& what) {
  session.lastError = what;
  return refuse(status, what);
}

Session* find(void* handle) {
  std::lock_guard lock(mutex);
  const auto found = sessions.find(static_cast<Session*>(handle));
  return found == sessions.end() ? nullptr : *found;
}

// Finds the session, and fails where a test wants it.
#define FW_SESSION(call)                                                                               \
  Session* const session = find(handle);                                                               \
  if (session == nullptr) return refuse(NV_ENC_ERR_INVALID_ENCODERDEVICE, #call " without a session"); \
  if (const int fault = faultOf(#call)) return session->lastError = "by a test", NVENCSTATUS(fault)

#define FW_VERSION(params, expected) \
  if ((params)->version != expected) return fail(*session, NV_ENC_ERR_INVALID_VERSION, "not " #expected)

}  // namespace

bool isRegistered(CUdeviceptr address) {
  std::lock_guard lock(mutex);
  for (const Session* const session : sessions)
    for (const Input* const input : session->inputs)
      if (input->own.empty() && input->device == address) return true;
  return false;
}

namespace {

NVENCSTATUS open(NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS* params, void** handle) {
  if (const int fault = faultOf("OpenEncodeSessionEx")) return NVENCSTATUS(fault);
  if (params->version != NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS_VER || params->apiVersion != NVENCAPI_VERSION)
    return refuse(NV_ENC_ERR_INVALID_VERSION, "a session of another version");
  const int card = cardOf(params->device);
  if (params->deviceType != NV_ENC_DEVICE_TYPE_CUDA || card < 0)
    return refuse(NV_ENC_ERR_INVALID_DEVICE, "a session without a CUDA context");
  if (card == setting("no-encoder", -1)) return NV_ENC_ERR_UNSUPPORTED_DEVICE;
  std::lock_guard lock(mutex);
  // What GeForce cards answer.
  if (static_cast<int>(sessions.size()) >= setting("sessions", 8)) return NV_ENC_ERR_OUT_OF_MEMORY;
  auto* const session = new Session;
  session->card = card;
  session->context = static_cast<CUcontext>(params->device);
  sessions.insert(session);
  *handle = session;
  return NV_ENC_SUCCESS;
}

bool isHevc(const GUID& codec) { return codec == NV_ENC_CODEC_HEVC_GUID; }
bool isOffered(const GUID& codec) { return codec == NV_ENC_CODEC_H264_GUID || isHevc(codec); }

NVENCSTATUS guidCount(void* handle, uint32_t* count) {
  FW_SESSION(GetEncodeGUIDCount);
  *count = 2;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS guids(void* handle, GUID* all, uint32_t size, uint32_t* count) {
  FW_SESSION(GetEncodeGUIDs);
  if (size < 2) return fail(*session, NV_ENC_ERR_INVALID_PARAM, "no room for GUIDs");
  all[0] = NV_ENC_CODEC_H264_GUID;
  all[1] = NV_ENC_CODEC_HEVC_GUID;
  *count = 2;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS caps(void* handle, GUID codec, NV_ENC_CAPS_PARAM* param, int* value) {
  FW_SESSION(GetEncodeCaps);
  FW_VERSION(param, NV_ENC_CAPS_PARAM_VER);
  if (!isOffered(codec)) return fail(*session, NV_ENC_ERR_INVALID_PARAM, "an unknown codec");
  const bool hasBFrames = setting("no-b-frames", 0) == 0;
  switch (param->capsToQuery) {
    case NV_ENC_CAPS_NUM_MAX_BFRAMES:
      *value = hasBFrames ? 4 : 0;
      break;
    case NV_ENC_CAPS_SUPPORT_BFRAME_REF_MODE:
      *value = hasBFrames ? 2 : 0;
      break;
    case NV_ENC_CAPS_WIDTH_MAX:
      *value = 4096;
      break;
    case NV_ENC_CAPS_HEIGHT_MAX:
      *value = 4096;
      break;
    case NV_ENC_CAPS_SUPPORT_LOOKAHEAD:
    case NV_ENC_CAPS_SUPPORT_TEMPORAL_AQ:
    case NV_ENC_CAPS_SUPPORT_MULTIPLE_REF_FRAMES:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return NV_ENC_SUCCESS;
}

NVENCSTATUS presetConfig(void* handle, GUID codec, GUID, NV_ENC_TUNING_INFO tuning,
                         NV_ENC_PRESET_CONFIG* preset) {
  FW_SESSION(GetEncodePresetConfigEx);
  FW_VERSION(preset, NV_ENC_PRESET_CONFIG_VER);
  FW_VERSION(&preset->presetCfg, NV_ENC_CONFIG_VER);
  if (!isOffered(codec) || tuning == NV_ENC_TUNING_INFO_UNDEFINED)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "a preset without a codec or tuning");
  preset->presetCfg.gopLength = 30;
  preset->presetCfg.frameIntervalP = 1;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS initialize(void* handle, NV_ENC_INITIALIZE_PARAMS* params) {
  FW_SESSION(InitializeEncoder);
  FW_VERSION(params, NV_ENC_INITIALIZE_PARAMS_VER);
  if (params->encodeConfig == nullptr) return fail(*session, NV_ENC_ERR_INVALID_PARAM, "no configuration");
  const NV_ENC_CONFIG& config = *params->encodeConfig;
  FW_VERSION(&config, NV_ENC_CONFIG_VER);
  const int bFrames = config.frameIntervalP - 1;
  if (bFrames > 0 && setting("no-b-frames", 0) != 0)
    return fail(*session, NV_ENC_ERR_UNSUPPORTED_PARAM, "B-frames on a card without them");
  if (params->encodeWidth < 145 || params->encodeHeight < 49 || params->frameRateNum == 0)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "a size that the encoder lacks");
  session->width = params->encodeWidth;
  session->height = params->encodeHeight;
  CoderSettings settings;
  settings.width = static_cast<int>(params->encodeWidth);
  settings.height = static_cast<int>(params->encodeHeight);
  settings.frameRateNum = params->frameRateNum;
  settings.frameRateDen = params->frameRateDen;
  settings.gopLength = config.gopLength;
  settings.bFrames = bFrames > 0 ? bFrames : 0;
  if (config.rcParams.targetQuality != 0) settings.quality = config.rcParams.targetQuality;
  const auto setColors = [&](const auto& vui) {
    settings.isFullRange = vui.videoFullRangeFlag != 0;
    settings.hasColors = vui.colourDescriptionPresentFlag != 0;
    settings.primaries = static_cast<int>(vui.colourPrimaries);
    settings.transfer = static_cast<int>(vui.transferCharacteristics);
    settings.matrix = static_cast<int>(vui.colourMatrix);
  };
  if (isHevc(params->encodeGUID)) {
    settings.repeatsHeaders = config.encodeCodecConfig.hevcConfig.repeatSPSPPS != 0;
    setColors(config.encodeCodecConfig.hevcConfig.hevcVUIParameters);
    session->coder = createHevcCoder(settings);
  } else {
    settings.repeatsHeaders = config.encodeCodecConfig.h264Config.repeatSPSPPS != 0;
    setColors(config.encodeCodecConfig.h264Config.h264VUIParameters);
    session->coder = createH264Coder(settings);
  }
  if (config.rcParams.enableLookahead != 0) session->lookahead = config.rcParams.lookaheadDepth;
  return session->coder == nullptr ? NV_ENC_ERR_INVALID_PARAM : NV_ENC_SUCCESS;
}

NVENCSTATUS sequenceParams(void* handle, NV_ENC_SEQUENCE_PARAM_PAYLOAD* payload) {
  FW_SESSION(GetSequenceParams);
  FW_VERSION(payload, NV_ENC_SEQUENCE_PARAM_PAYLOAD_VER);
  const std::vector<uint8_t> headers = session->coder->headers();
  if (headers.empty()) return NV_ENC_ERR_GENERIC;
  if (headers.size() > payload->inBufferSize) return NV_ENC_ERR_NOT_ENOUGH_BUFFER;
  std::memcpy(payload->spsppsBuffer, headers.data(), headers.size());
  *payload->outSPSPPSPayloadSize = static_cast<uint32_t>(headers.size());
  return NV_ENC_SUCCESS;
}

NVENCSTATUS createInput(void* handle, NV_ENC_CREATE_INPUT_BUFFER* buffer) {
  FW_SESSION(CreateInputBuffer);
  FW_VERSION(buffer, NV_ENC_CREATE_INPUT_BUFFER_VER);
  if (buffer->bufferFmt != NV_ENC_BUFFER_FORMAT_NV12)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "only NV12");
  auto* const input = new Input;
  input->pitch =
      static_cast<uint32_t>((buffer->width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment);
  input->width = buffer->width;
  input->height = buffer->height;
  input->own.resize(size_t{input->pitch} * (input->height + (input->height + 1) / 2));
  session->inputs.insert(input);
  buffer->inputBuffer = input;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS destroyInput(void* handle, NV_ENC_INPUT_PTR buffer) {
  FW_SESSION(DestroyInputBuffer);
  auto* const input = static_cast<Input*>(buffer);
  if (session->inputs.erase(input) == 0)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "an unknown input buffer");
  delete input;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS lockInput(void* handle, NV_ENC_LOCK_INPUT_BUFFER* lock) {
  FW_SESSION(LockInputBuffer);
  FW_VERSION(lock, NV_ENC_LOCK_INPUT_BUFFER_VER);
  auto* const input = static_cast<Input*>(lock->inputBuffer);
  if (session->inputs.count(input) == 0 || input->isLocked)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "an input buffer that cannot be locked");
  input->isLocked = true;
  lock->bufferDataPtr = input->own.data();
  lock->pitch = input->pitch;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS unlockInput(void* handle, NV_ENC_INPUT_PTR buffer) {
  FW_SESSION(UnlockInputBuffer);
  auto* const input = static_cast<Input*>(buffer);
  if (session->inputs.count(input) == 0 || !input->isLocked)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "an input buffer that is not locked");
  input->isLocked = false;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS registerResource(void* handle, NV_ENC_REGISTER_RESOURCE* resource) {
  FW_SESSION(RegisterResource);
  FW_VERSION(resource, NV_ENC_REGISTER_RESOURCE_VER);
  const auto device = reinterpret_cast<CUdeviceptr>(resource->resourceToRegister);
  const bool isNv12 = resource->resourceType == NV_ENC_INPUT_RESOURCE_TYPE_CUDADEVICEPTR &&
                      resource->bufferFormat == NV_ENC_BUFFER_FORMAT_NV12;
  if (!isNv12 || resource->width != session->width || resource->height != session->height ||
      resource->pitch < resource->width || resource->pitch % 4 != 0 ||
      !containsDeviceMemory(device, size_t{resource->pitch} * (resource->height + resource->height / 2)))
    return fail(*session, NV_ENC_ERR_RESOURCE_REGISTER_FAILED,
                "a resource that is not an NV12 frame in device memory");
  if (isOfOtherApi(device) && setting("own-only", 0) != 0)
    return session->lastError = "by a test", NV_ENC_ERR_RESOURCE_REGISTER_FAILED;
  auto* const input = new Input;
  input->device = device;
  input->width = resource->width;
  input->height = resource->height;
  input->pitch = resource->pitch;
  session->inputs.insert(input);
  resource->registeredResource = input;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS unregisterResource(void* handle, NV_ENC_REGISTERED_PTR resource) {
  FW_SESSION(UnregisterResource);
  auto* const input = static_cast<Input*>(resource);
  if (session->inputs.count(input) == 0)
    return fail(*session, NV_ENC_ERR_RESOURCE_NOT_REGISTERED, "an unknown resource is unregistered");
  if (input->isMapped) return fail(*session, NV_ENC_ERR_INVALID_CALL, "a mapped resource is unregistered");
  session->inputs.erase(input);
  delete input;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS map(void* handle, NV_ENC_MAP_INPUT_RESOURCE* resource) {
  FW_SESSION(MapInputResource);
  FW_VERSION(resource, NV_ENC_MAP_INPUT_RESOURCE_VER);
  auto* const input = static_cast<Input*>(resource->registeredResource);
  if (session->inputs.count(input) == 0 || input->isMapped)
    return fail(*session, NV_ENC_ERR_MAP_FAILED, "a resource that cannot be mapped");
  input->isMapped = true;
  resource->mappedResource = input;
  resource->mappedBufferFmt = NV_ENC_BUFFER_FORMAT_NV12;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS unmap(void* handle, NV_ENC_INPUT_PTR resource) {
  FW_SESSION(UnmapInputResource);
  auto* const input = static_cast<Input*>(resource);
  if (session->inputs.count(input) == 0 || !input->isMapped)
    return fail(*session, NV_ENC_ERR_RESOURCE_NOT_MAPPED, "a resource that is not mapped");
  input->isMapped = false;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS createBitstream(void* handle, NV_ENC_CREATE_BITSTREAM_BUFFER* buffer) {
  FW_SESSION(CreateBitstreamBuffer);
  FW_VERSION(buffer, NV_ENC_CREATE_BITSTREAM_BUFFER_VER);
  auto* const bitstream = new Bitstream;
  session->bitstreams.insert(bitstream);
  buffer->bitstreamBuffer = bitstream;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS destroyBitstream(void* handle, NV_ENC_OUTPUT_PTR buffer) {
  FW_SESSION(DestroyBitstreamBuffer);
  auto* const bitstream = static_cast<Bitstream*>(buffer);
  if (session->bitstreams.erase(bitstream) == 0 || bitstream->isLocked)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "a bitstream buffer that cannot be destroyed");
  std::erase(session->pending, bitstream);
  delete bitstream;
  return NV_ENC_SUCCESS;
}

// Encodes a picture, or drains with null. Outputs fill the buffers in the order in which these were given.
bool encode(Session& session, const CoderInput* picture) {
  CodedPicture coded;
  if (!session.coder->encode(picture, coded) || session.pending.empty()) return false;
  Bitstream& bitstream = *session.pending.front();
  session.pending.pop_front();
  bitstream.bytes = std::move(coded.bytes);
  bitstream.pts = static_cast<uint64_t>(coded.pts);
  bitstream.type = coded.type;
  bitstream.isPending = false;
  return true;
}

// Reads the picture that has waited longest.
bool encodeFirst(Session& session) {
  const CoderInput picture = session.waiting.front().picture;
  session.waiting.pop_front();
  return encode(session, &picture);
}

uint64_t hashOf(const uint8_t* bytes, size_t count) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

// Covers the samples, not the columns beyond them.
uint64_t hashOf(const Session& session, CUdeviceptr address, size_t pitch) {
  uint64_t hash = 0;
  for (size_t y = 0; y < session.height + session.height / 2; ++y)
    hash = hash * 31 + hashOf(reinterpret_cast<const uint8_t*>(address) + y * pitch, session.width);
  return hash;
}

// Whether memory of another API that the picture was read from is as it was when it was sent.
bool isUnchanged(Session& session, uint64_t pts) {
  const auto found = session.borrowed.find(pts);
  if (found == session.borrowed.end()) return true;
  const Borrowed memory = found->second;
  session.borrowed.erase(found);
  return containsDeviceMemory(memory.address, memory.pitch * (session.height + session.height / 2)) &&
         hashOf(session, memory.address, memory.pitch) == memory.hash;
}

// Waits for the work of the session's stream, which may write the frame.
bool isWritten(Session& session) {
  if (session.hasStream) return synchronize(session.stream, session.context) == CUDA_SUCCESS;
  if (hasWork(session.context)) report("a frame is encoded that a stream may still write");
  return true;
}

NVENCSTATUS encodePicture(void* handle, NV_ENC_PIC_PARAMS* params) {
  FW_SESSION(EncodePicture);
  FW_VERSION(params, NV_ENC_PIC_PARAMS_VER);
  // libav ends streams that never began, too.
  if (session->coder == nullptr) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  if ((params->encodePicFlags & NV_ENC_PIC_FLAG_EOS) != 0) {
    while (!session->waiting.empty()) encodeFirst(*session);
    while (encode(*session, nullptr)) continue;
    session->isDrained = true;
    return NV_ENC_SUCCESS;
  }
  auto* const input = static_cast<Input*>(params->inputBuffer);
  auto* const bitstream = static_cast<Bitstream*>(params->outputBitstream);
  if (session->inputs.count(input) == 0 || input->isLocked || (input->own.empty() && !input->isMapped))
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "a frame that is not mapped, or locked");
  if (session->bitstreams.count(bitstream) == 0 || bitstream->isPending || bitstream->isLocked)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "a bitstream buffer in use");
  if (params->bufferFmt != NV_ENC_BUFFER_FORMAT_NV12 || params->inputPitch < session->width)
    return fail(*session, NV_ENC_ERR_INVALID_PARAM, "a frame that is not NV12");
  if (session->isDrained)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "a frame after the end of the stream");
  {
    std::lock_guard busy(engines[session->card]);
    std::this_thread::sleep_for(std::chrono::milliseconds(setting("frame-ms", 0)));
  }
  if (input->own.empty() && !isWritten(*session)) return NV_ENC_ERR_GENERIC;
  uint8_t* const bytes = const_cast<uint8_t*>(input->bytes());
  CoderInput picture;
  picture.luma = bytes;
  picture.chroma = bytes + size_t{params->inputPitch} * input->height;
  picture.pitch = static_cast<int>(params->inputPitch);
  picture.pts = static_cast<int64_t>(params->inputTimeStamp);
  picture.isIdr = (params->encodePicFlags & NV_ENC_PIC_FLAG_FORCEIDR) != 0;
  if (input->own.empty() && isOfOtherApi(input->device))
    session->borrowed[params->inputTimeStamp] = {input->device, params->inputPitch,
                                                 hashOf(*session, input->device, params->inputPitch)};
  bitstream->isPending = true;
  session->pending.push_back(bitstream);
  // Buffers of the session are written again as soon as they can be locked.
  session->waiting.push_back({input, picture});
  if (session->waiting.size() <= (input->own.empty() ? session->lookahead : 0))
    return NV_ENC_ERR_NEED_MORE_INPUT;
  return encodeFirst(*session) ? NV_ENC_SUCCESS : NV_ENC_ERR_NEED_MORE_INPUT;
}

NVENCSTATUS lockBitstream(void* handle, NV_ENC_LOCK_BITSTREAM* lock) {
  FW_SESSION(LockBitstream);
  FW_VERSION(lock, NV_ENC_LOCK_BITSTREAM_VER);
  auto* const bitstream = static_cast<Bitstream*>(lock->outputBitstream);
  if (session->bitstreams.count(bitstream) == 0 || bitstream->isLocked || bitstream->isPending)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "a bitstream buffer without a picture");
  if (!isUnchanged(*session, bitstream->pts))
    return fail(*session, NV_ENC_ERR_GENERIC, "a frame changed before it was encoded");
  bitstream->isLocked = true;
  lock->bitstreamBufferPtr = bitstream->bytes.data();
  lock->bitstreamSizeInBytes = static_cast<uint32_t>(bitstream->bytes.size());
  lock->outputTimeStamp = bitstream->pts;
  lock->pictureType = bitstream->type;
  lock->frameAvgQP = 20;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS unlockBitstream(void* handle, NV_ENC_OUTPUT_PTR buffer) {
  FW_SESSION(UnlockBitstream);
  auto* const bitstream = static_cast<Bitstream*>(buffer);
  if (session->bitstreams.count(bitstream) == 0 || !bitstream->isLocked)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "a bitstream buffer that is not locked");
  bitstream->isLocked = false;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS setStreams(void* handle, NV_ENC_CUSTREAM_PTR input, NV_ENC_CUSTREAM_PTR) {
  FW_SESSION(SetIOCudaStreams);
  session->stream = *static_cast<CUstream*>(input);
  session->hasStream = true;
  return NV_ENC_SUCCESS;
}

const char* lastError(void* handle) {
  const Session* const session = find(handle);
  return session == nullptr ? "" : session->lastError.c_str();
}

NVENCSTATUS destroy(void* handle) {
  FW_SESSION(DestroyEncoder);
  if (!session->inputs.empty()) report(std::to_string(session->inputs.size()) + " inputs were not freed");
  if (!session->bitstreams.empty())
    report(std::to_string(session->bitstreams.size()) + " outputs were not freed");
  std::lock_guard lock(mutex);
  sessions.erase(session);
  delete session;
  return NV_ENC_SUCCESS;
}

}  // namespace
}  // namespace substitute

extern "C" {

NVENCSTATUS NvEncodeAPIGetMaxSupportedVersion(uint32_t* version) {
  *version = NVENCAPI_MAJOR_VERSION << 4 | NVENCAPI_MINOR_VERSION;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS NvEncodeAPICreateInstance(NV_ENCODE_API_FUNCTION_LIST* list) {
  using namespace substitute;
  if (list->version != NV_ENCODE_API_FUNCTION_LIST_VER)
    return refuse(NV_ENC_ERR_INVALID_VERSION, "a function list of another version");
  list->nvEncOpenEncodeSessionEx = open;
  list->nvEncGetEncodeGUIDCount = guidCount;
  list->nvEncGetEncodeGUIDs = guids;
  list->nvEncGetEncodeCaps = caps;
  list->nvEncGetEncodePresetConfigEx = presetConfig;
  list->nvEncInitializeEncoder = initialize;
  list->nvEncGetSequenceParams = sequenceParams;
  list->nvEncCreateInputBuffer = createInput;
  list->nvEncDestroyInputBuffer = destroyInput;
  list->nvEncLockInputBuffer = lockInput;
  list->nvEncUnlockInputBuffer = unlockInput;
  list->nvEncRegisterResource = registerResource;
  list->nvEncUnregisterResource = unregisterResource;
  list->nvEncMapInputResource = map;
  list->nvEncUnmapInputResource = unmap;
  list->nvEncCreateBitstreamBuffer = createBitstream;
  list->nvEncDestroyBitstreamBuffer = destroyBitstream;
  list->nvEncEncodePicture = encodePicture;
  list->nvEncLockBitstream = lockBitstream;
  list->nvEncUnlockBitstream = unlockBitstream;
  list->nvEncSetIOCudaStreams = setStreams;
  list->nvEncGetLastErrorString = lastError;
  list->nvEncDestroyEncoder = destroy;
  return NV_ENC_SUCCESS;
}

}  // extern "C"
