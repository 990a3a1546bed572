#include "engine/worker/runner/library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace ridgeline::runner {
namespace {

struct Search {
  std::uintptr_t load_address;
  std::uintptr_t end;
};

/// Finds the end of the library's last segment. The loader tells only where the library begins.
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

LoadedLibrary load_library(const char* path) {
  LoadedLibrary loaded;
  // RTLD_NOW: a missing symbol is a load error, and no call resolves symbols while it is timed.
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* error = ::dlerror();
    loaded.error = error ? error : "the loader gave no reason";
    return loaded;
  }
  loaded.call = reinterpret_cast<languages::CallFunction>(::dlsym(library, languages::kCallSymbol));
  loaded.workspace =
      reinterpret_cast<languages::WorkspaceFunction>(::dlsym(library, languages::kWorkspaceSymbol));
  loaded.error_text =
      reinterpret_cast<languages::ErrorTextFunction>(::dlsym(library, languages::kErrorTextSymbol));
  if (!loaded.call) loaded.missing = languages::kCallSymbol;
  link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) {
    Search search{map->l_addr, 0};
    ::dl_iterate_phdr(widen_to_segments, &search);
    loaded.load_address = search.load_address;
    loaded.end = search.end;
  }
  return loaded;
}

}  // namespace ridgeline::runner
