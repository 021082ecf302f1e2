// SPDX-License-Identifier: MIT
// How the HTML report looks, and its few lines of script: it folds and filters, and the page is
// whole without it.
#include "report/html.h"

const char *const oct_html_style[] = {
    ":root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--ink:#1d2530;--dim:#66717f;"
    "--line:#e0e4ea;--soft:#eef1f5;--pass:#1a7f4b;--fail:#c4314b;--open:#a86500;--error:#7a3fd0;"
    "--accent:#0b66c3}\n",
    "@media(prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1b212a;--ink:#e3e8ef;"
    "--dim:#93a0b0;--line:#2d3642;--soft:#232b36;--pass:#4cc38a;--fail:#f2708a;--open:#e5a84b;"
    "--error:#b794f6;--accent:#6cb2ff}}\n",
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "main,header,footer{max-width:1240px;margin:0 auto;padding:0 24px}"
    "header{padding-top:28px}h1{font-size:24px;margin:0 0 2px}h2{font-size:18px;margin:34px 0 10px;"
    "overflow-wrap:anywhere}h3{font-size:12px;letter-spacing:.06em;text-transform:uppercase;"
    "color:var(--dim);margin:22px 0 8px}.dim{color:var(--dim)}a{color:var(--accent);"
    "text-decoration:none}a:hover{text-decoration:underline}\n",
    ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "box-shadow:0 1px 2px #0000000d}"
    ".sum{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;"
    "margin:18px 0 12px}.sum .card{padding:12px 16px}.sum b{display:block;font-size:26px;"
    "line-height:1.15;font-variant-numeric:tabular-nums}.sum span{color:var(--dim);font-size:13px}"
    ".c-pass{color:var(--pass)}.c-fail{color:var(--fail)}.c-inconclusive{color:var(--open)}"
    ".c-error{color:var(--error)}\n",
    ".bar{display:flex;height:10px;border-radius:5px;overflow:hidden;background:var(--soft)}"
    ".bar i{display:block}.b-pass{background:var(--pass)}.b-fail{background:var(--fail)}"
    ".b-inconclusive{background:var(--open)}.b-error{background:var(--error)}"
    ".p0{background:#4c78a8}.p1{background:#59a14f}.p2{background:#f28e2b}.p3{background:#e15759}"
    ".p4{background:#b07aa1}.p5{background:#76b7b2}.p6{background:#b6992d}.p7{background:#9aa5b1}"
    ".k{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:7px}\n",
    ".tools{display:flex;gap:8px;margin:14px 0;flex-wrap:wrap}button{font:inherit;font-size:13px;"
    "padding:4px 12px;border-radius:6px;border:1px solid var(--line);background:var(--card);"
    "color:var(--ink);cursor:pointer}button:hover{background:var(--soft)}"
    ".wide{overflow-x:auto}.wide .name{min-width:230px}.wide "
    ".world{min-width:200px}table{border-collapse:collapse;width:100%;font-"
    "size:14px}"
    "th{text-align:left;font-weight:600;color:var(--dim);font-size:12px}"
    "th,td{padding:6px 12px;border-bottom:1px solid var(--line);vertical-align:top}"
    "tr:last-child td{border-bottom:0}.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}.name{overflow-wrap:anywhere}\n",
    ".tag{display:inline-block;min-width:46px;text-align:center;border-radius:5px;padding:1px 8px;"
    "font-size:12px;font-weight:600;color:#fff;white-space:nowrap}"
    "@media(prefers-color-scheme:dark){.tag{color:#10141a}}"
    "details.test{margin:10px 0}details.test>summary{cursor:pointer;padding:11px 16px;display:flex;"
    "gap:12px;align-items:baseline;list-style:none}"
    "details.test>summary::-webkit-details-marker{display:none}"
    "details.test>summary::before{content:'\\25b8';color:var(--dim)}"
    "details.test[open]>summary::before{content:'\\25be'}"
    ".title{flex:1;font-weight:600;overflow-wrap:anywhere}"
    ".body{padding:2px 20px 20px;border-top:1px solid var(--line)}"
    ".reason{margin:14px 0 0;padding:10px 14px;border-left:4px solid var(--fail);"
    "background:var(--soft);border-radius:0 6px 6px 0;overflow-wrap:anywhere}"
    ".reason.v-inconclusive{border-color:var(--open)}.reason.v-error{border-color:var(--error)}\n",
    ".cols{display:grid;grid-template-columns:minmax(0,1.55fr) minmax(260px,1fr);gap:4px 34px}"
    "@media(max-width:900px){.cols{grid-template-columns:1fr}}"
    "dl{display:grid;grid-template-columns:auto 1fr;gap:3px 16px;margin:0;font-size:14px}"
    "dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}"
    "svg{display:block;width:100%;height:auto}"
    ".plans{display:block}figure{margin:0 0 "
    "18px}svg.key{width:14px;height:14px;display:inline-block;vertical-align:-2px;"
    "margin-right:6px;overflow:visible}.replay{display:flex;gap:10px;align-items:center;"
    "margin:0 0 12px}.replay[hidden]{display:none}.replay input{flex:1;min-width:90px}"
    ".replay output{flex:2;font-size:13px;color:var(--dim);font-variant-numeric:tabular-nums;"
    "overflow-wrap:anywhere;min-height:2.9em}.t-now{stroke:var(--ink);stroke-width:1.5}figcaption{"
    "color:var(--dim);font-size:12.5px}"
    ".parts{margin-top:10px;font-size:13.5px}.parts td{padding:2px 8px 2px 0;border:0}"
    "ul.notes{margin:0;padding-left:18px;font-size:14px}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12.5px;color:var(--dim)}\n",
    ".t-pass{fill:var(--pass);opacity:.28}.t-fail{fill:var(--fail);opacity:.4}"
    ".t-left{fill:var(--dim);opacity:.3}.t-thought{fill:var(--soft);stroke:var(--line)}"
    ".t-press{fill:var(--m-panel)}.t-refused{fill:var(--fail)}.t-stop{fill:var(--open)}"
    ".t-axis path{stroke:var(--line)}svg .t-axis text{fill:var(--dim);text-anchor:middle}\n",
    ".tree,.tree ul{list-style:none;margin:0;padding-left:18px;font-size:14px}.tree{padding-left:0}"
    ".tree ul{border-left:1px solid var(--line);margin-left:4px}.tree li{padding:1px 0;"
    "overflow-wrap:anywhere}.g{display:inline-block;width:9px;height:9px;border-radius:50%;"
    "margin-right:8px;background:var(--line)}.g-success{background:var(--pass)}"
    ".g-failed{background:var(--fail)}.g-current{background:var(--open)}"
    ".kind{font-size:11px;border:1px solid var(--line);border-radius:4px;padding:0 5px;"
    "color:var(--dim)}.why{color:var(--fail);padding-left:18px;font-size:13px}"
    "footer{padding-top:24px;padding-bottom:40px;font-size:13px;color:var(--dim)}"
    "body.few tr.v-pass,body.few details.v-pass{display:none}"
    "@media print{.tools{display:none}.card{break-inside:avoid}}\n",
    NULL,
};

const char *const oct_html_script[] = {
    "var all=document.querySelectorAll('details.test');"
    "function fold(open){all.forEach(function(d){d.open=open})}"
    "function show(){var d=document.getElementById(location.hash.slice(1));"
    "if(d&&d.tagName=='DETAILS'){d.open=true;d.scrollIntoView()}}"
    "document.getElementById('tools').hidden=false;"
    "document.getElementById('open').onclick=function(){fold(true)};"
    "document.getElementById('shut').onclick=function(){fold(false)};"
    "document.getElementById('few').onclick=function(){document.body.classList.toggle('few')};"
    "addEventListener('hashchange',show);show();\n",
    // A replay moves a mark along the ways of a test's plans and its time line.
    "document.querySelectorAll('.replay').forEach(function(r){"
    "var test=r.closest('.body'),ticks=+r.dataset.ticks,rate=+r.dataset.rate,"
    "range=r.querySelector('input'),out=r.querySelector('output'),"
    "button=r.querySelector('button'),last=0,timer=0;"
    "var agents=[].map.call(r.querySelectorAll('i'),function(i){return{colour:i.className,"
    "places:i.dataset.places.split(';').map(function(p){return p.split(' ').map(Number)}),"
    "words:i.dataset.thoughts.split('\\n').map(function(w){var n=w.indexOf(' ');"
    "return[+w.slice(0,n),w.slice(n+1)]})}});\n",
    "function make(parent,name,set){var e=document.createElementNS('http://www.w3.org/2000/svg',"
    "name);for(var k in set)e.setAttribute(k,set[k]);parent.append(e);return e}"
    "var plans=[].map.call(test.querySelectorAll('svg.drawing'),function(s){"
    "return{at:s.dataset.plane.split(' ').map(Number),marks:agents.map(function(a){"
    "return make(s,'circle',{r:6,'class':'m-now '+a.colour})})}});"
    "var lines=[].map.call(test.querySelectorAll('svg.time'),function(s){"
    "return make(s,'path',{'class':'t-now'})});\n",
    "function place(a,t){var p=a.places,lo=0,hi=p.length-1;while(lo<hi){var m=lo+hi+1>>1;"
    "if(p[m][0]<=t)lo=m;else hi=m-1}var q=p[Math.min(lo+1,p.length-1)],f=q[0]>p[lo][0]?"
    "Math.max(0,(t-p[lo][0])/(q[0]-p[lo][0])):0;"
    "return[1,2,3].map(function(i){return p[lo][i]+f*(q[i]-p[lo][i])})}"
    "function draw(){var t=range.value/1000*ticks,say=(t/rate).toFixed(1)+' s';"
    "agents.forEach(function(a,n){if(a.places[0].length<4)return;var at=place(a,t),w='';"
    "a.words.forEach(function(v){if(v[1]&&v[0]<=t)w=v[1]});say+=w?' \\u2014 '+w:'';"
    "plans.forEach(function(p){var g=p.at,c=p.marks[n],v=(at[g[1]]-g[4])*g[5];"
    "c.setAttribute('cx',(at[g[0]]-g[3])*g[5]);c.setAttribute('cy',g[7]?g[8]-v:v);"
    "c.setAttribute('opacity',at[g[2]]>=g[9]&&at[g[2]]<g[10]?1:.35)})});"
    "lines.forEach(function(l){l.setAttribute('d','M'+range.value+' 0V1000')});"
    "out.textContent=say}\n",
    "function stop(){cancelAnimationFrame(timer);timer=0;button.textContent='Play'}"
    "function step(now){range.value=+range.value+Math.max(.5,(now-last)/Math.max(6,Math.min(30,"
    "ticks/rate/10)));last=now;draw();if(+range.value<1000)timer=requestAnimationFrame(step);"
    "else stop()}"
    "button.onclick=function(){if(timer)return stop();if(+range.value>=1000)range.value=0;"
    "last=performance.now();button.textContent='Stop';timer=requestAnimationFrame(step)};"
    "range.oninput=draw;range.step='any';r.hidden=false;draw()});",
    NULL,
};
