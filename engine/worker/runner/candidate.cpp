#include "engine/worker/runner/candidate.hpp"

#include <dlfcn.h>
#include <link.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridgeline::runner {
namespace {

struct Search {
  std::uintptr_t load_address;
  std::uintptr_t end;
};

int widen_to_segments(dl_phdr_info* info, std::size_t, void* raw) {
  auto& search = *static_cast<Search*>(raw);
  if (info->dlpi_addr != search.load_address) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const auto end = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (end > search.end) search.end = end;
  }
  return 1;
}

}  // namespace

LoadedCandidate load_candidate(const char* path) {
  LoadedCandidate candidate;
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* error = ::dlerror();
    candidate.error = error ? error : "the loader gave no reason";
    return candidate;
  }
  candidate.call = reinterpret_cast<CallFunction>(::dlsym(library, kCallSymbol));
  candidate.workspace = reinterpret_cast<WorkspaceFunction>(::dlsym(library, kWorkspaceSymbol));
  candidate.error_text = reinterpret_cast<ErrorTextFunction>(::dlsym(library, kErrorTextSymbol));
  if (!candidate.call) candidate.missing = kCallSymbol;
  link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) {
    Search search{map->l_addr, 0};
    ::dl_iterate_phdr(widen_to_segments, &search);
    candidate.load_address = search.load_address;
    candidate.end = search.end;
  }
  return candidate;
}

std::uint64_t ticks() {
#if defined(__x86_64__)
  unsigned processor = 0;
  return __rdtscp(&processor);  // waits for what stands before it
#elif defined(__aarch64__)
  std::uint64_t value = 0;
  asm volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
  return value;
#endif
}

}  // namespace ridgeline::runner
