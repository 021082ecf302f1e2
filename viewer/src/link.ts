// SPDX-License-Identifier: MIT
// Questions to the command, and its answers: see docs/internals/viewer.md.

export interface Binary {
    kind: number;
    first: number;
    second: number;
    bytes: Uint8Array;
}

interface Waiting {
    resolve(answer: unknown): void;
    reject(error: Error): void;
}

export class Link {
    private next = 1;
    private readonly waiting = new Map<number, Waiting>();
    onClose: () => void = () => {};

    private constructor(private readonly socket: WebSocket) {
        socket.binaryType = 'arraybuffer';
        socket.onmessage = (event) => this.take(event.data);
        socket.onclose = () => {
            for (const one of this.waiting.values()) {
                one.reject(new Error('octant has ended'));
            }
            this.waiting.clear();
            this.onClose();
        };
    }

    static open(): Promise<Link> {
        const here = new URL('ws', location.href);
        here.protocol = 'ws:';
        here.hash = here.search = '';
        const socket = new WebSocket(here, 'octant');
        return new Promise((resolve, reject) => {
            socket.onopen = () => resolve(new Link(socket));
            socket.onerror = () => reject(new Error('octant does not answer'));
        });
    }

    private take(data: string | ArrayBuffer): void {
        if (typeof data === 'string') {
            const answer = JSON.parse(data) as { id: number; error?: string };
            const one = this.waiting.get(answer.id);
            this.waiting.delete(answer.id);
            if (answer.error !== undefined) {
                one?.reject(new Error(answer.error));
            } else {
                one?.resolve(answer);
            }
            return;
        }
        const head = new DataView(data);
        const id = head.getUint32(0, true);
        const answer: Binary = {
            kind: head.getUint32(4, true),
            first: head.getUint32(8, true),
            second: head.getUint32(12, true),
            bytes: new Uint8Array(data, 16),
        };
        this.waiting.get(id)?.resolve(answer);
        this.waiting.delete(id);
    }

    // Either an object, or a Binary.
    ask<T>(ask: string, more: Record<string, unknown> = {}): Promise<T> {
        const id = this.next++;
        return new Promise<T>((resolve, reject) => {
            this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
            this.socket.send(JSON.stringify({ id, ask, ...more }));
        });
    }
}
