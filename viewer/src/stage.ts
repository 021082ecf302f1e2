// SPDX-License-Identifier: MIT
// The picture: camera, controls, and frames that are drawn only when something has changed.
import {
    AmbientLight, Color, DirectionalLight, Group, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
    WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import * as address from './address';
import { isDark } from './colours';

export interface Frames {
    drawn: number; // since the page was opened
    perSecond: number; // while frames follow each other
}

const SLOW = /swiftshader|llvmpipe|software|basic render/i;

export class Stage {
    readonly renderer: WebGLRenderer;
    readonly scene = new Scene();
    readonly camera = new PerspectiveCamera(50, 1, 0.1, 1e5);
    readonly controls: OrbitControls;
    readonly world = new Group();
    readonly frames: Frames = { drawn: 0, perSecond: 0 };
    readonly isSlow: boolean; // drawn without a graphics card
    onFrame: ((seconds: number) => boolean)[] = []; // true: one more frame
    onMoved: (() => void)[] = [];
    private wanted = false;
    private last = 0;
    private size = 1;
    private isCoarse = false; // fewer pixels, while a slow machine moves
    private sharpen = 0;
    private isMoving = false; // since the last frame

    constructor(canvas: HTMLCanvasElement) {
        this.renderer = new WebGLRenderer({ canvas, antialias: false, powerPreference: 'high-performance' });
        this.renderer.localClippingEnabled = true;
        const gl = this.renderer.getContext();
        const info = gl.getExtension('WEBGL_debug_renderer_info');
        const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
        this.isSlow = SLOW.test(name);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.15;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener('change', () => {
            this.isMoving = true;
            this.draw();
            this.onMoved.forEach((f) => f());
            this.saveCamera();
        });
        this.scene.add(this.world, new AmbientLight(0xffffff, 1.6));
        const sun = new DirectionalLight(0xffffff, 1.8);
        sun.position.set(0.5, 0.8, 0.3);
        this.scene.add(sun);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.theme());
        this.theme();
        this.resize();
    }

    theme(): void {
        this.scene.background = new Color(isDark() ? '#11151b' : '#eef1f5');
        this.draw();
    }

    private resize(): void {
        const parent = this.renderer.domElement.parentElement!;
        const w = Math.max(parent.clientWidth, 1), h = Math.max(parent.clientHeight, 1);
        this.setRatio(false);
        this.renderer.setSize(w, h, false);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        this.onMoved.forEach((f) => f());
        this.draw();
    }

    private setRatio(coarse: boolean): void {
        this.isCoarse = coarse;
        this.renderer.setPixelRatio(coarse ? 0.5 : this.isSlow ? 1 : Math.min(devicePixelRatio, 2));
    }

    // Without a graphics card frames that follow each other have a quarter of the pixels where they
    // would come too slowly; the last one has all.
    private choosePixels(passed: number): void {
        if (!this.isSlow) {
            return;
        }
        if (!this.isCoarse && this.isMoving && passed < 1000 && this.frames.perSecond < 16) {
            this.setRatio(true);
        }
        this.isMoving = false;
        clearTimeout(this.sharpen);
        this.sharpen = window.setTimeout(() => {
            if (this.isCoarse) {
                this.setRatio(false);
                this.draw();
            }
        }, 300);
    }

    // A frame soon.
    draw(): void {
        if (!this.wanted) {
            this.wanted = true;
            requestAnimationFrame((now) => this.frame(now));
        }
    }

    private frame(now: number): void {
        this.wanted = false;
        const passed = now - this.last;
        this.last = now;
        this.controls.update();
        // All are asked: none may be left out because another one goes on.
        const more = this.onFrame.map((f) => f(Math.min(passed, 250) / 1000)).some((m) => m);
        this.isMoving ||= more;
        this.choosePixels(passed);
        this.renderer.render(this.scene, this.camera);
        this.frames.drawn++;
        if (passed < 1000) {
            const rate = 1000 / Math.max(passed, 1);
            this.frames.perSecond = this.frames.perSecond ? 0.9 * this.frames.perSecond + 0.1 * rate : rate;
        }
        if (more) {
            this.draw();
        }
    }

    // Looks at a ball from above, aslant.
    lookAt(centre: Vector3, radius: number, up: Vector3, isFlat = false): void {
        this.size = radius;
        this.camera.up.copy(up);
        // The controls take the axis to turn around when they are made.
        const turn = (this.controls as unknown as { _quat: { setFromUnitVectors(a: Vector3, b: Vector3): void };
            _quatInverse: { copy(q: unknown): { invert(): void } } });
        turn._quat.setFromUnitVectors(up, new Vector3(0, 1, 0));
        turn._quatInverse.copy(turn._quat).invert();
        this.camera.near = radius / 2000;
        this.camera.far = radius * 20;
        this.camera.updateProjectionMatrix();
        const kept = address.getNumbers('cam', 6);
        const side = up.x === 1 ? new Vector3(0, 1, 0.6) : up.y === 1 ? new Vector3(0.6, 0, 1) : isFlat ? new Vector3(0, -1, 0) : new Vector3(0.6, -1, 0);
        if (kept) {
            this.camera.position.fromArray(kept);
            this.controls.target.fromArray(kept, 3);
        } else {
            this.controls.target.copy(centre);
            this.camera.position.copy(centre).addScaledVector(side.normalize(), radius * (isFlat ? 0.02 : 1.9))
                .addScaledVector(up, radius * (isFlat ? 1.9 : 1.5));
        }
        this.controls.minDistance = radius / 500;
        this.controls.maxDistance = radius * 10;
        this.controls.update();
        this.onMoved.forEach((f) => f());
        this.draw();
    }

    // Moves what is looked at there, and the camera along with it.
    follow(at: Vector3): void {
        const step = at.clone().sub(this.controls.target);
        this.controls.target.add(step);
        this.camera.position.add(step);
        this.draw();
    }

    private saveTimer = 0;
    private saveCamera(): void {
        clearTimeout(this.saveTimer);
        this.saveTimer = window.setTimeout(() => {
            address.setNumbers('cam', [...this.camera.position.toArray(), ...this.controls.target.toArray()]);
        }, 200);
    }

    // The ray through a place on the canvas.
    rayAt(event: { clientX: number; clientY: number }): Raycaster {
        const box = this.renderer.domElement.getBoundingClientRect();
        const at = new Vector2(
            ((event.clientX - box.left) / box.width) * 2 - 1,
            1 - ((event.clientY - box.top) / box.height) * 2,
        );
        const ray = new Raycaster();
        ray.setFromCamera(at, this.camera);
        return ray;
    }

    // Where something is drawn, in pixels of the page; for labels and tests.
    pixelOf(at: Vector3): { x: number; y: number } {
        const box = this.renderer.domElement.getBoundingClientRect();
        const p = at.clone().project(this.camera);
        return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    }

    radius(): number {
        return this.size;
    }

    picture(): string {
        this.renderer.render(this.scene, this.camera);
        return this.renderer.domElement.toDataURL('image/png');
    }
}
