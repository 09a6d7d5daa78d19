// What only pages and workers have.
import { configure, open } from "fletching-arrow-ipc";

configure({ full: new WebAssembly.Module(new Uint8Array(8)) });
// @ts-expect-error A number is no module.
configure({ full: 7 });

export const opened = (input: HTMLInputElement) => Promise.all(Array.from(input.files ?? [], (file) => open(file)));
export const fetched = (url: string) => open(url, { headers: new Headers({ authorization: "secret" }) });
