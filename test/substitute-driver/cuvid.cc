#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "codec/h264_headers.h"
#include "codec/hevc_headers.h"
#include "codec/picture_decoder.h"
#include "substitute.h"

// NVDEC with libav's software decoders behind it: H.264, HEVC and VP9. What is decoded is what the caller
// sends: parameter sets are written from the picture's parameters.
namespace substitute {
namespace {

constexpr CUresult kInvalidValue = CUresult(1), kOutOfMemory = CUresult(2), kInvalidContext = CUresult(201),
                   kInvalidHandle = CUresult(400), kNotSupported = CUresult(801);
constexpr unsigned kPitch = 512;

struct Surface {
  std::vector<uint8_t> samples;  // NV12 or P010
  int order = 0;                 // picture order count of H.264 and HEVC
};

struct Decoder {
  explicit Decoder(const CUVIDDECODECREATEINFO& wanted, AVCodecID codec)
      : info(wanted), engine(codec), surfaces(wanted.ulNumDecodeSurfaces) {}

  CUVIDDECODECREATEINFO info;
  PictureDecoder engine;
  std::vector<Surface> surfaces;
  std::set<CUdeviceptr> mapped;
};

std::mutex mutex;
std::set<Decoder*> decoders;

struct Codec {
  cudaVideoCodec type;
  AVCodecID id;
  unsigned maxBits;
};
constexpr Codec kCodecs[] = {{cudaVideoCodec_H264, AV_CODEC_ID_H264, 8},
                             {cudaVideoCodec_HEVC, AV_CODEC_ID_HEVC, 10},
                             {cudaVideoCodec_VP9, AV_CODEC_ID_VP9, 10}};

const Codec* findCodec(cudaVideoCodec type, cudaVideoChromaFormat chroma, unsigned bits) {
  const auto found = std::find_if(std::begin(kCodecs), std::end(kCodecs),
                                  [&](const Codec& each) { return each.type == type; });
  const bool isOffered = found != std::end(kCodecs) && chroma == cudaVideoChromaFormat_420 &&
                         (bits == 8 || bits == found->maxBits);
  return isOffered ? found : nullptr;
}

Decoder* find(void* handle) {
  std::lock_guard lock(mutex);
  const auto found = decoders.find(static_cast<Decoder*>(handle));
  return found == decoders.end() ? nullptr : *found;
}

// Finds the decoder, and fails where a test wants it.
#define FW_DECODER(call)                                                                       \
  if (currentContext() == nullptr) return refuse(kInvalidContext, #call " without a context"); \
  Decoder* const decoder = find(handle);                                                       \
  if (decoder == nullptr) return refuse(kInvalidHandle, #call " without a decoder");           \
  if (const int fault = faultOf(#call)) return CUresult(fault)

// A reference must be a picture that is still in its surface.
bool isReference(const Decoder& decoder, int index, int order) {
  return index >= 0 && static_cast<size_t>(index) < decoder.surfaces.size() &&
         !decoder.surfaces[static_cast<size_t>(index)].samples.empty() &&
         decoder.surfaces[static_cast<size_t>(index)].order == order;
}

H264Headers headersOf(const CUVIDPICPARAMS& picture) {
  const CUVIDH264PICPARAMS& own = picture.CodecSpecific.h264;
  H264Headers headers;
  headers.widthInMbs = picture.PicWidthInMbs;
  headers.heightInMbs = picture.FrameHeightInMbs;
  headers.log2MaxFrameNum = own.log2_max_frame_num_minus4 + 4;
  headers.pocType = own.pic_order_cnt_type;
  headers.log2MaxPocLsb = own.log2_max_pic_order_cnt_lsb_minus4 + 4;
  headers.isFramesOnly = own.frame_mbs_only_flag != 0;
  headers.isMbaff = own.MbaffFrameFlag != 0;
  headers.isDirect8x8 = own.direct_8x8_inference_flag != 0;
  headers.referenceFrames = own.num_ref_frames;
  headers.isCabac = own.entropy_coding_mode_flag != 0;
  headers.hasPocInFrame = own.pic_order_present_flag != 0;
  headers.isWeighted = own.weighted_pred_flag != 0;
  headers.weightedBipred = own.weighted_bipred_idc;
  headers.references[0] = own.num_ref_idx_l0_active_minus1 + 1;
  headers.references[1] = own.num_ref_idx_l1_active_minus1 + 1;
  headers.initialQp = own.pic_init_qp_minus26 + 26;
  headers.chromaQpOffsets[0] = own.chroma_qp_index_offset;
  headers.chromaQpOffsets[1] = own.second_chroma_qp_index_offset;
  headers.hasDeblockingControl = own.deblocking_filter_control_present_flag != 0;
  headers.isConstrainedIntra = own.constrained_intra_pred_flag != 0;
  headers.hasRedundantPictures = own.redundant_pic_cnt_present_flag != 0;
  headers.is8x8 = own.transform_8x8_mode_flag != 0;
  return headers;
}

// The parameter sets of the picture; empty, with a report, where the substitute cannot decode it.
std::vector<uint8_t> h264Headers(const Decoder& decoder, const CUVIDPICPARAMS& picture) {
  const CUVIDH264PICPARAMS& own = picture.CodecSpecific.h264;
  const auto* const scales = &own.WeightScale4x4[0][0];
  const bool isFlat = std::all_of(scales, scales + sizeof own.WeightScale4x4, [](int s) { return s == 16; });
  if (picture.field_pic_flag != 0 || own.pic_order_cnt_type == 1 || !isFlat || picture.nNumSlices == 0) {
    report("an H.264 picture that the substitute cannot decode");
    return {};
  }
  for (const CUVIDH264DPBENTRY& entry : own.dpb) {
    if (entry.PicIdx >= 0 && !isReference(decoder, entry.PicIdx, entry.FieldOrderCnt[0])) {
      report("an H.264 picture refers to a surface with another picture");
      return {};
    }
  }
  const uint32_t first = picture.pSliceDataOffsets[0] + 3;
  return parameterSetsOf(headersOf(picture), parameterSetOfSlice(picture.pBitstreamData + first,
                                                                 picture.nBitstreamDataLen - first));
}

std::vector<uint8_t> hevcHeaders(const Decoder& decoder, const CUVIDPICPARAMS& picture) {
  const CUVIDHEVCPICPARAMS& own = picture.CodecSpecific.hevc;
  for (int i = 0; i < 16; ++i) {
    // libav lists the picture itself, too.
    if (own.RefPicIdx[i] >= 0 && own.RefPicIdx[i] != picture.CurrPicIdx &&
        !isReference(decoder, own.RefPicIdx[i], own.PicOrderCntVal[i])) {
      report("an HEVC picture refers to a surface with another picture");
      return {};
    }
  }
  std::vector<uint8_t> stream = parameterSetsOf(own);
  if (stream.empty()) report("an HEVC picture that the substitute cannot decode");
  return stream;
}

// Slices are where the caller says they are.
bool hasSlices(const CUVIDPICPARAMS& picture) {
  for (unsigned i = 0; i < picture.nNumSlices; ++i) {
    const unsigned at = picture.pSliceDataOffsets[i];
    if (at + 3 >= picture.nBitstreamDataLen || std::memcmp(picture.pBitstreamData + at, "\0\0\1", 3) != 0)
      return false;
  }
  return picture.nNumSlices > 0;
}

unsigned pitchOf(const Decoder& decoder) {
  const unsigned bytes =
      static_cast<unsigned>(decoder.info.ulTargetWidth) * (decoder.info.bitDepthMinus8 > 0 ? 2 : 1);
  return (bytes + kPitch - 1) / kPitch * kPitch;
}

size_t bytesOf(const Decoder& decoder) {
  return size_t{pitchOf(decoder)} * (decoder.info.ulTargetHeight + (decoder.info.ulTargetHeight + 1) / 2);
}

// Names what a process has left open.
struct OpenDecoders {
  ~OpenDecoders() {
    std::lock_guard lock(mutex);
    if (!decoders.empty()) report(std::to_string(decoders.size()) + " decoders were not destroyed");
  }
} openDecoders;

}  // namespace
}  // namespace substitute

using namespace substitute;

extern "C" {

CUresult cuvidGetDecoderCaps(CUVIDDECODECAPS* caps) {
  if (currentContext() == nullptr) return refuse(kInvalidContext, "cuvidGetDecoderCaps without a context");
  if (const int fault = faultOf("GetDecoderCaps")) return CUresult(fault);
  caps->bIsSupported = findCodec(caps->eCodecType, caps->eChromaFormat, caps->nBitDepthMinus8 + 8) != nullptr;
  caps->nMinWidth = caps->nMinHeight = 48;
  caps->nMaxWidth = caps->nMaxHeight = 4096;
  caps->nMaxMBCount = 65536;
  return CUDA_SUCCESS;
}

CUresult cuvidCreateDecoder(CUvideodecoder* handle, CUVIDDECODECREATEINFO* info) {
  if (currentContext() == nullptr) return refuse(kInvalidContext, "cuvidCreateDecoder without a context");
  if (const int fault = faultOf("CreateDecoder")) return CUresult(fault);
  const unsigned bits = static_cast<unsigned>(info->bitDepthMinus8) + 8;
  const Codec* const codec = findCodec(info->CodecType, info->ChromaFormat, bits);
  if (codec == nullptr) return kNotSupported;
  const bool isDeep = info->OutputFormat == cudaVideoSurfaceFormat_P016;
  if (info->ulNumDecodeSurfaces == 0 || info->ulNumDecodeSurfaces > 32 || info->ulNumOutputSurfaces == 0 ||
      info->ulTargetWidth != info->ulWidth || info->ulTargetHeight != info->ulHeight ||
      isDeep != (bits > 8) || (!isDeep && info->OutputFormat != cudaVideoSurfaceFormat_NV12))
    return refuse(kInvalidValue, "cuvidCreateDecoder with surfaces that the substitute lacks");
  std::lock_guard lock(mutex);
  if (static_cast<int>(decoders.size()) >= setting("decoders", 32)) return kOutOfMemory;
  auto* const decoder = new Decoder(*info, codec->id);
  decoders.insert(decoder);
  *handle = decoder;
  return CUDA_SUCCESS;
}

CUresult cuvidDestroyDecoder(CUvideodecoder handle) {
  FW_DECODER(DestroyDecoder);
  if (!decoder->mapped.empty()) report("a decoder is destroyed while a frame is mapped");
  std::lock_guard lock(mutex);
  decoders.erase(decoder);
  delete decoder;
  return CUDA_SUCCESS;
}

CUresult cuvidDecodePicture(CUvideodecoder handle, CUVIDPICPARAMS* picture) {
  FW_DECODER(DecodePicture);
  const auto index = static_cast<size_t>(picture->CurrPicIdx);
  if (index >= decoder->surfaces.size()) return refuse(kInvalidValue, "a picture without a surface");
  if (decoder->info.CodecType != cudaVideoCodec_VP9 && !hasSlices(*picture))
    return refuse(kInvalidValue, "a picture without slices");
  std::vector<uint8_t> stream;
  int order = 0;
  if (decoder->info.CodecType == cudaVideoCodec_H264) {
    stream = h264Headers(*decoder, *picture);
    order = picture->CodecSpecific.h264.CurrFieldOrderCnt[0];
  } else if (decoder->info.CodecType == cudaVideoCodec_HEVC) {
    stream = hevcHeaders(*decoder, *picture);
    order = picture->CodecSpecific.hevc.CurrPicOrderCntVal;
  }
  if (stream.empty() && decoder->info.CodecType != cudaVideoCodec_VP9) return kInvalidValue;
  stream.insert(stream.end(), picture->pBitstreamData, picture->pBitstreamData + picture->nBitstreamDataLen);
  const AVFrame* const frame = decoder->engine.decode(stream);
  const int width = static_cast<int>(decoder->info.ulTargetWidth),
            height = static_cast<int>(decoder->info.ulTargetHeight);
  if (frame == nullptr || frame->width > width || frame->height > height)
    return refuse(kInvalidValue, "a picture that is not decoded");
  Surface& surface = decoder->surfaces[index];
  surface.order = order;
  surface.samples.assign(bytesOf(*decoder), 0);
  const size_t pitch = pitchOf(*decoder);
  toSurface(*frame, frame->width, frame->height, surface.samples.data(), pitch,
            surface.samples.data() + pitch * decoder->info.ulTargetHeight, pitch);
  return CUDA_SUCCESS;
}

CUresult cuvidMapVideoFrame64(CUvideodecoder handle, int index, unsigned long long* address, unsigned* pitch,
                              CUVIDPROCPARAMS* params) {
  FW_DECODER(MapVideoFrame);
  const auto at = static_cast<size_t>(index);
  if (at >= decoder->surfaces.size() || decoder->surfaces[at].samples.empty())
    return refuse(kInvalidValue, "a frame is mapped before it is decoded");
  if (decoder->mapped.size() >= decoder->info.ulNumOutputSurfaces)
    return refuse(kInvalidValue, "more frames are mapped than the decoder has outputs");
  if (params->progressive_frame == 0) return refuse(kInvalidValue, "a frame is mapped as interlaced");
  CUdeviceptr memory = 0;
  if (const CUresult status = allocateDeviceMemory(&memory, bytesOf(*decoder))) return status;
  std::memcpy(reinterpret_cast<void*>(memory), decoder->surfaces[at].samples.data(), bytesOf(*decoder));
  decoder->mapped.insert(memory);
  *address = memory;
  *pitch = pitchOf(*decoder);
  return CUDA_SUCCESS;
}

CUresult cuvidUnmapVideoFrame64(CUvideodecoder handle, unsigned long long address) {
  FW_DECODER(UnmapVideoFrame);
  if (decoder->mapped.erase(address) == 0)
    return refuse(kInvalidValue, "a frame that is not mapped is unmapped");
  return freeDeviceMemory(address);
}

// Required by the loader, and not called here.
#define FW_ABSENT(name) \
  CUresult name() { return refuse(kNotSupported, #name " is not part of the substitute"); }
FW_ABSENT(cuvidGetDecodeStatus)
FW_ABSENT(cuvidReconfigureDecoder)
FW_ABSENT(cuvidCtxLockCreate)
FW_ABSENT(cuvidCtxLockDestroy)
FW_ABSENT(cuvidCtxLock)
FW_ABSENT(cuvidCtxUnlock)
FW_ABSENT(cuvidCreateVideoSource)
FW_ABSENT(cuvidCreateVideoSourceW)
FW_ABSENT(cuvidDestroyVideoSource)
FW_ABSENT(cuvidSetVideoSourceState)
FW_ABSENT(cuvidGetVideoSourceState)
FW_ABSENT(cuvidGetSourceVideoFormat)
FW_ABSENT(cuvidGetSourceAudioFormat)
FW_ABSENT(cuvidCreateVideoParser)
FW_ABSENT(cuvidParseVideoData)
FW_ABSENT(cuvidDestroyVideoParser)

}  // extern "C"
