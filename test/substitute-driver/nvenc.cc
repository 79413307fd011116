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

extern "C" {
#include <x264.h>
}

#include "streams.h"

// NVENC with x264 behind it: H.264 from NV12.
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

struct Session {
  int card = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;  // in whose order frames are read
  bool hasStream = false;
  x264_t* encoder = nullptr;
  uint32_t width = 0, height = 0;
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

NVENCSTATUS guidCount(void* handle, uint32_t* count) {
  FW_SESSION(GetEncodeGUIDCount);
  *count = 1;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS guids(void* handle, GUID* all, uint32_t size, uint32_t* count) {
  FW_SESSION(GetEncodeGUIDs);
  if (size < 1) return fail(*session, NV_ENC_ERR_INVALID_PARAM, "no room for GUIDs");
  all[0] = NV_ENC_CODEC_H264_GUID;
  *count = 1;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS caps(void* handle, GUID codec, NV_ENC_CAPS_PARAM* param, int* value) {
  FW_SESSION(GetEncodeCaps);
  FW_VERSION(param, NV_ENC_CAPS_PARAM_VER);
  if (!(codec == NV_ENC_CODEC_H264_GUID)) return fail(*session, NV_ENC_ERR_INVALID_PARAM, "only H.264");
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
  if (!(codec == NV_ENC_CODEC_H264_GUID) || tuning == NV_ENC_TUNING_INFO_UNDEFINED)
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
  x264_param_t x264;
  x264_param_default_preset(&x264, "veryfast", nullptr);
  x264.i_csp = X264_CSP_NV12;
  x264.i_log_level = X264_LOG_NONE;
  x264.i_width = static_cast<int>(params->encodeWidth);
  x264.i_height = static_cast<int>(params->encodeHeight);
  x264.i_fps_num = x264.i_timebase_den = params->frameRateNum;
  x264.i_fps_den = x264.i_timebase_num = params->frameRateDen;
  x264.i_threads = 1;
  x264.i_sync_lookahead = x264.rc.i_lookahead = x264.i_bframe_adaptive = x264.i_scenecut_threshold = 0;
  x264.rc.b_mb_tree = 0;
  x264.i_keyint_max = x264.i_keyint_min = static_cast<int>(config.gopLength);
  x264.i_bframe = bFrames > 0 ? bFrames : 0;
  x264.rc.i_rc_method = X264_RC_CRF;
  x264.rc.f_rf_constant = config.rcParams.targetQuality == 0 ? 23 : config.rcParams.targetQuality;
  x264.b_repeat_headers = config.encodeCodecConfig.h264Config.repeatSPSPPS;
  x264.b_annexb = 1;
  const NV_ENC_CONFIG_H264_VUI_PARAMETERS& vui = config.encodeCodecConfig.h264Config.h264VUIParameters;
  x264.vui.b_fullrange = static_cast<int>(vui.videoFullRangeFlag);
  if (vui.colourDescriptionPresentFlag != 0) {
    x264.vui.i_colorprim = static_cast<int>(vui.colourPrimaries);
    x264.vui.i_transfer = static_cast<int>(vui.transferCharacteristics);
    x264.vui.i_colmatrix = static_cast<int>(vui.colourMatrix);
  }
  x264_param_apply_profile(&x264, "high");
  session->encoder = x264_encoder_open(&x264);
  return session->encoder == nullptr ? NV_ENC_ERR_INVALID_PARAM : NV_ENC_SUCCESS;
}

NVENCSTATUS sequenceParams(void* handle, NV_ENC_SEQUENCE_PARAM_PAYLOAD* payload) {
  FW_SESSION(GetSequenceParams);
  FW_VERSION(payload, NV_ENC_SEQUENCE_PARAM_PAYLOAD_VER);
  x264_nal_t* units = nullptr;
  int count = 0;
  if (x264_encoder_headers(session->encoder, &units, &count) < 0) return NV_ENC_ERR_GENERIC;
  uint32_t size = 0;
  for (int i = 0; i < count; ++i) {
    if (units[i].i_type == NAL_SEI) continue;
    if (size + static_cast<uint32_t>(units[i].i_payload) > payload->inBufferSize)
      return NV_ENC_ERR_NOT_ENOUGH_BUFFER;
    std::memcpy(static_cast<uint8_t*>(payload->spsppsBuffer) + size, units[i].p_payload,
                static_cast<size_t>(units[i].i_payload));
    size += static_cast<uint32_t>(units[i].i_payload);
  }
  *payload->outSPSPPSPayloadSize = size;
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
      resource->pitch < resource->width ||
      !containsDeviceMemory(device, size_t{resource->pitch} * (resource->height + resource->height / 2)))
    return fail(*session, NV_ENC_ERR_RESOURCE_REGISTER_FAILED,
                "a resource that is not an NV12 frame in device memory");
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
bool encode(Session& session, x264_picture_t* picture) {
  x264_nal_t* units = nullptr;
  int count = 0;
  x264_picture_t out;
  const int size = x264_encoder_encode(session.encoder, &units, &count, picture, &out);
  if (size <= 0 || session.pending.empty()) return false;
  Bitstream& bitstream = *session.pending.front();
  session.pending.pop_front();
  bitstream.bytes.assign(units[0].p_payload, units[0].p_payload + size);
  bitstream.pts = static_cast<uint64_t>(out.i_pts);
  bitstream.type = out.i_type == X264_TYPE_IDR ? NV_ENC_PIC_TYPE_IDR
                   : out.i_type == X264_TYPE_I ? NV_ENC_PIC_TYPE_I
                   : out.i_type == X264_TYPE_P ? NV_ENC_PIC_TYPE_P
                                               : NV_ENC_PIC_TYPE_B;
  bitstream.isPending = false;
  return true;
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
  if (session->encoder == nullptr) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  if ((params->encodePicFlags & NV_ENC_PIC_FLAG_EOS) != 0) {
    while (x264_encoder_delayed_frames(session->encoder) > 0 && encode(*session, nullptr)) continue;
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
  x264_picture_t picture;
  x264_picture_init(&picture);
  picture.img.i_csp = X264_CSP_NV12;
  picture.img.i_plane = 2;
  uint8_t* const bytes = const_cast<uint8_t*>(input->bytes());
  picture.img.plane[0] = bytes;
  picture.img.plane[1] = bytes + size_t{params->inputPitch} * input->height;
  picture.img.i_stride[0] = picture.img.i_stride[1] = static_cast<int>(params->inputPitch);
  picture.i_pts = static_cast<int64_t>(params->inputTimeStamp);
  const bool isKey = (params->encodePicFlags & NV_ENC_PIC_FLAG_FORCEIDR) != 0;
  picture.i_type = isKey ? X264_TYPE_IDR : X264_TYPE_AUTO;
  bitstream->isPending = true;
  session->pending.push_back(bitstream);
  return encode(*session, &picture) ? NV_ENC_SUCCESS : NV_ENC_ERR_NEED_MORE_INPUT;
}

NVENCSTATUS lockBitstream(void* handle, NV_ENC_LOCK_BITSTREAM* lock) {
  FW_SESSION(LockBitstream);
  FW_VERSION(lock, NV_ENC_LOCK_BITSTREAM_VER);
  auto* const bitstream = static_cast<Bitstream*>(lock->outputBitstream);
  if (session->bitstreams.count(bitstream) == 0 || bitstream->isLocked || bitstream->isPending)
    return fail(*session, NV_ENC_ERR_INVALID_CALL, "a bitstream buffer without a picture");
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
  if (session->encoder != nullptr) x264_encoder_close(session->encoder);
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
