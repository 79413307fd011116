/** Converts a sharing link of Google Drive or Dropbox, which leads to a web page, to the URL of the file; other URLs are returned unchanged. */
export function directDownloadUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  if (address.protocol !== 'https:') return url;
  if (address.hostname === 'drive.google.com') return googleDriveUrl(address) ?? url;
  if (address.hostname === 'www.dropbox.com' || address.hostname === 'dropbox.com') return dropboxUrl(address) ?? url;
  return url;
}

/** `/file/d/ID/view`, `/open?id=ID` and `/uc?id=ID`. `confirm=t` skips Drive's confirmation page for large files. */
function googleDriveUrl({ pathname, searchParams }: URL): string | undefined {
  const id = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(pathname)?.[1] ?? (/^\/(?:open|uc)$/.test(pathname) ? searchParams.get('id') : null);
  if (id === null || id === undefined || !/^[\w-]+$/.test(id)) return undefined;
  const file = new URL('https://drive.usercontent.google.com/download');
  file.search = new URLSearchParams({ id, export: 'download', confirm: 't' }).toString();
  const key = searchParams.get('resourcekey');
  if (key !== null) file.searchParams.set('resourcekey', key);
  return file.href;
}

/** `/s/…` and `/scl/fi/…`, whose `dl=0` shows a page. */
function dropboxUrl(address: URL): string | undefined {
  if (!/^\/(?:s|scl\/fi)\//.test(address.pathname) || address.searchParams.get('raw') === '1') return undefined;
  address.searchParams.set('dl', '1');
  return address.href;
}
